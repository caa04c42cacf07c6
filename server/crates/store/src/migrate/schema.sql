WITH
  -- Months of receipts come and go.
  made AS (SELECT oid, relname, relkind, relrowsecurity FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relname !~ '^(archived_)?receipts_[0-9]{4}_[0-9]{2}$')
SELECT item FROM (
  SELECT 'relation ' || relname || ' ' || relkind::text || ' ' || relrowsecurity AS item FROM made
    WHERE relkind IN ('r', 'p', 'v', 'm', 'S')
  UNION ALL
  SELECT 'column ' || c.relname || ' ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || ' ' || a.attnotnull
      || ' ' || coalesce(pg_get_expr(d.adbin, d.adrelid), '')
    FROM pg_attribute a JOIN made c ON c.oid = a.attrelid LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
  UNION ALL
  -- Whether a column may be absent is told with the column; newer servers have a constraint for it as well.
  SELECT 'constraint ' || c.relname || ' ' || conname || ' ' || pg_get_constraintdef(k.oid)
    FROM pg_constraint k JOIN made c ON c.oid = k.conrelid WHERE k.contype <> 'n'
  UNION ALL
  SELECT 'index ' || pg_get_indexdef(i.indexrelid) FROM pg_index i JOIN made c ON c.oid = i.indrelid
  UNION ALL
  SELECT 'trigger ' || pg_get_triggerdef(t.oid) || ' ' || t.tgenabled::text FROM pg_trigger t JOIN made c ON c.oid = t.tgrelid
    WHERE NOT t.tgisinternal
  UNION ALL
  -- Those of foreign keys have no names of their own: only one that is off is told.
  SELECT 'off ' || c.relname FROM pg_trigger t JOIN made c ON c.oid = t.tgrelid WHERE t.tgisinternal AND t.tgenabled <> 'O'
  UNION ALL
  -- Each month has the same rule, and no other.
  SELECT DISTINCT 'month ' || coalesce(replace(pg_get_triggerdef(t.oid), c.relname, 'month') || ' ' || t.tgenabled::text, 'without its rule')
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid LEFT JOIN pg_trigger t ON t.tgrelid = c.oid AND NOT t.tgisinternal
    WHERE i.inhparent = to_regclass('receipts')
  UNION ALL
  SELECT 'function ' || proname || ' ' || coalesce(array_to_string(proconfig, ' '), '') || ' ' || prosrc
    FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
  UNION ALL
  SELECT 'rule ' || definition FROM pg_rules WHERE schemaname = current_schema()
) items ORDER BY item COLLATE "C"
