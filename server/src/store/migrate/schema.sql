SELECT item FROM (
  SELECT 'relation ' || relname || ' ' || relkind::text || ' ' || relrowsecurity AS item FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'S')
  UNION ALL
  SELECT 'column ' || c.relname || ' ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || ' ' || a.attnotnull
      || ' ' || coalesce(pg_get_expr(d.adbin, d.adrelid), '')
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
  UNION ALL
  -- Whether a column may be absent is told with the column; newer servers have a constraint for it as well.
  SELECT 'constraint ' || c.relname || ' ' || conname || ' ' || pg_get_constraintdef(k.oid)
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
    WHERE k.connamespace = current_schema()::regnamespace AND k.contype <> 'n'
  UNION ALL
  SELECT 'index ' || pg_get_indexdef(i.indexrelid) FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
    WHERE c.relnamespace = current_schema()::regnamespace
  UNION ALL
  SELECT 'trigger ' || pg_get_triggerdef(t.oid) || ' ' || t.tgenabled::text FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    WHERE c.relnamespace = current_schema()::regnamespace AND NOT t.tgisinternal
  UNION ALL
  -- Those of foreign keys have no names of their own: only one that is off is told.
  SELECT 'off ' || c.relname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    WHERE c.relnamespace = current_schema()::regnamespace AND t.tgisinternal AND t.tgenabled <> 'O'
  UNION ALL
  SELECT 'function ' || proname || ' ' || prosrc FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
  UNION ALL
  SELECT 'rule ' || definition FROM pg_rules WHERE schemaname = current_schema()
) made ORDER BY item COLLATE "C"
