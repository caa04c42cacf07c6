-- Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
--
-- The state machines of the spec as rules of the database: a row begins in the first state, moves only along the
-- declared moves, and counts every move where it has a revision. Run after the hand-written steps, which make the
-- tables; may be run again over an earlier version of itself. Functions see only what they refuse: a comparison costs a row less.
{%- macro unlisted(machine) -%}
(
{%- if machine.pairs.is_empty() %}
    FALSE
{%- endif %}
{%- for (from, to) in machine.pairs %}
    {% if !loop.first %}OR {% endif %}(OLD.{{ machine.state }} = '{{ from }}' AND NEW.{{ machine.state }} = '{{ to }}')
{%- endfor %}
  ) IS NOT TRUE
{%- endmacro %}
{% for machine in machines %}
-- {{ machine.name }} ({{ machine.at }})
CREATE OR REPLACE FUNCTION machine_{{ machine.name }}_start() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '{{ machine.name }}: a row starts in {{ machine.start }}, not in %', NEW.{{ machine.state }} USING ERRCODE = 'check_violation';
END $$;
CREATE OR REPLACE FUNCTION machine_{{ machine.name }}_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF {% call unlisted(machine) %}{% endcall %} THEN
    RAISE EXCEPTION '{{ machine.name }}: no move leads from % to %', OLD.{{ machine.state }}, NEW.{{ machine.state }} USING ERRCODE = 'check_violation';
  END IF;
{%- if let Some(revision) = machine.revision %}
  IF NEW.{{ revision }} IS DISTINCT FROM OLD.{{ revision }} + 1 THEN
    RAISE EXCEPTION '{{ machine.name }}: a move counts {{ revision }} up by one' USING ERRCODE = 'check_violation';
  END IF;
{%- endif %}
  RETURN NEW;
END $$;
DROP TRIGGER IF EXISTS machine_{{ machine.name }}_start ON {{ machine.table }};
CREATE TRIGGER machine_{{ machine.name }}_start BEFORE INSERT ON {{ machine.table }}
  FOR EACH ROW WHEN (NEW.{{ machine.state }} IS DISTINCT FROM '{{ machine.start }}')
  EXECUTE FUNCTION machine_{{ machine.name }}_start();
DROP TRIGGER IF EXISTS machine_{{ machine.name }}_move ON {{ machine.table }};
CREATE TRIGGER machine_{{ machine.name }}_move BEFORE UPDATE ON {{ machine.table }}
  FOR EACH ROW WHEN (NEW.{{ machine.state }} IS DISTINCT FROM OLD.{{ machine.state }} AND ({% call unlisted(machine) %}{% endcall %}
{%- if let Some(revision) = machine.revision %} OR NEW.{{ revision }} IS DISTINCT FROM OLD.{{ revision }} + 1{% endif %}))
  EXECUTE FUNCTION machine_{{ machine.name }}_move();
{% endfor -%}
