-- Tries to sign in are counted by each server in its memory.
DROP TABLE login_tries;
