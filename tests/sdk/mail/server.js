// A mail server that keeps nothing, and tells what it was sent.
//
// Its settings are the first argument, as JSON: `tls` (`starttls`, `implicit`, `off`), `cert` and `key` (PEM), `user` and
// `password`, without which it asks for none. It prints a line of JSON when it listens and one for each mail, and ends when nobody
// holds its input any more. To an address that begins with `nobody` it takes nothing, and of mail to one that begins with `silence`
// it never says that it has it.
import { simpleParser } from "mailparser";
import { SMTPServer } from "smtp-server";

const { tls, cert, key, user, password } = JSON.parse(process.argv[2]);
const tell = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

const server = new SMTPServer({
  cert,
  key,
  secure: tls === "implicit",
  disabledCommands: [...(tls === "off" || tls === "implicit" ? ["STARTTLS"] : []), ...(user ? [] : ["AUTH"])],
  authOptional: !user,
  onAuth(given, session, done) {
    const known = given.username === user && given.password === password;
    done(known ? null : new Error("wrong user or password"), { user: given.username });
  },
  onRcptTo({ address }, session, done) {
    done(address.startsWith("nobody") ? Object.assign(new Error("no such mailbox"), { responseCode: 550 }) : null);
  },
  onData(stream, session, done) {
    simpleParser(stream).then((mail) => {
      const recipients = session.envelope.rcptTo.map(({ address }) => address);
      if (recipients.some((address) => address.startsWith("silence"))) {
        return;
      }
      tell({
        sender: session.envelope.mailFrom.address,
        recipients,
        from: mail.from.text,
        to: mail.to.text,
        subject: mail.subject,
        text: mail.text,
        auto_submitted: mail.headers.get("auto-submitted"),
        headers: [...mail.headers.keys()],
        secure: session.secure,
        user: session.user ?? null,
      });
      done();
    });
  },
});
// A client that breaks off has its reasons.
server.on("error", () => {});
server.listen(0, "127.0.0.1", () => tell({ port: server.server.address().port }));
process.stdin.resume();
process.stdin.on("end", () => process.exit());
