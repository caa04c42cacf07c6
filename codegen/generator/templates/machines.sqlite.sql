-- Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
--
-- The state machines of the spec as rules of the database: a row begins in the first state, moves only along the
-- declared moves, and counts every move where it has a revision. Run after the hand-written steps, which make the
-- tables; may be run again over an earlier version of itself.
{% for machine in machines %}
-- {{ machine.name }} ({{ machine.at }})
DROP TRIGGER IF EXISTS machine_{{ machine.name }}_start;
CREATE TRIGGER machine_{{ machine.name }}_start BEFORE INSERT ON {{ machine.table }}
WHEN NEW.{{ machine.state }} IS NOT '{{ machine.start }}'
BEGIN
  SELECT RAISE(ABORT, '{{ machine.name }}: a row starts in {{ machine.start }}');
END;
DROP TRIGGER IF EXISTS machine_{{ machine.name }}_move;
CREATE TRIGGER machine_{{ machine.name }}_move BEFORE UPDATE OF {{ machine.state }} ON {{ machine.table }}
WHEN NEW.{{ machine.state }} IS NOT OLD.{{ machine.state }} AND NOT (
{%- if machine.pairs.is_empty() %}
  0
{%- endif %}
{%- for (from, to) in machine.pairs %}
  {% if !loop.first %}OR {% endif %}(OLD.{{ machine.state }} IS '{{ from }}' AND NEW.{{ machine.state }} IS '{{ to }}')
{%- endfor %}
)
BEGIN
  SELECT RAISE(ABORT, '{{ machine.name }}: no move leads there from the state the row is in');
END;
{%- if let Some(revision) = machine.revision %}
DROP TRIGGER IF EXISTS machine_{{ machine.name }}_revision;
CREATE TRIGGER machine_{{ machine.name }}_revision BEFORE UPDATE OF {{ machine.state }} ON {{ machine.table }}
WHEN NEW.{{ machine.state }} IS NOT OLD.{{ machine.state }} AND NEW.{{ revision }} IS NOT OLD.{{ revision }} + 1
BEGIN
  SELECT RAISE(ABORT, '{{ machine.name }}: a move counts {{ revision }} up by one');
END;
{%- endif %}
{% endfor -%}
