-- Texts become Markdown. What it would take for markup, and was shown as text until now, is escaped.
CREATE FUNCTION markdown_words(words text) RETURNS text LANGUAGE sql AS $$
  SELECT regexp_replace(words, '([][\\`*~|<]|(?<![[:alnum:]])_|_(?![[:alnum:]])|&(?=#?\w+;))', '\\\1', 'g')
$$;--> statement-breakpoint
CREATE FUNCTION markdown_line(line text, has_links boolean) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  rest text := regexp_replace(line, '^\s+|\s+$', '', 'g');
  link text[];
  result text := '';
BEGIN
  -- What begins a block.
  IF rest ~ '^(#{1,6}(\s|$)|>|[-+](\s|$)|=+$|:?-[-:| ]*$)' THEN
    result := '\' || left(rest, 1);
    rest := substr(rest, 2);
  ELSIF rest ~ '^\d{1,9}[.)](\s|$)' THEN
    result := regexp_replace(rest, '^(\d+)(.).*$', '\1\\\2');
    rest := substr(rest, length(result));
  END IF;
  LOOP
    link := regexp_match(rest, '^(.*?)(\[[^][]{1,200}\])\(([^()\s]+)\)(.*)$');
    EXIT WHEN link IS NULL OR NOT has_links;
    IF link[3] ~* '^((mailto|tel):.|https?://[^/?#])' OR (link[3] ~ '^[/#]' AND link[3] !~ '^/[/\\]') THEN
      result := result || regexp_replace(markdown_words(link[1]), '!$', '\\!') || '['
        || markdown_words(substr(link[2], 2, length(link[2]) - 2)) || ']('
        || regexp_replace(link[3], '([\\<]|&(?=#?\w+;))', '\\\1', 'g') || ')';
    ELSE
      result := result || markdown_words(link[1] || link[2] || '(' || link[3] || ')');
    END IF;
    rest := link[4];
  END LOOP;
  RETURN result || markdown_words(rest);
END
$$;--> statement-breakpoint
CREATE FUNCTION markdown_text(words text, has_marks boolean) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  line text;
  result text := '';
  was_item boolean := false;
BEGIN
  FOREACH line IN ARRAY regexp_split_to_array(words, '\r?\n') LOOP
    IF has_marks AND starts_with(line, '## ') THEN
      result := result || '## ' || regexp_replace(markdown_line(substr(line, 4), true), '(#+)$', '\\\1');
    ELSIF has_marks AND starts_with(line, '- ') THEN
      result := result || '- ' || markdown_line(substr(line, 3), true);
    ELSE
      -- Markdown would continue the item.
      IF was_item OR NOT has_marks THEN result := result || E'\n'; END IF;
      result := result || markdown_line(line, has_marks);
    END IF;
    was_item := has_marks AND starts_with(line, '- ');
    result := result || E'\n';
  END LOOP;
  RETURN btrim(result, E'\n');
END
$$;--> statement-breakpoint
CREATE FUNCTION markdown_fields(value jsonb, field text) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  RETURN CASE
    WHEN jsonb_typeof(value) = 'object' THEN
      (SELECT coalesce(jsonb_object_agg(part.key, markdown_fields(part.value, part.key)), '{}') FROM jsonb_each(value) AS part)
    WHEN jsonb_typeof(value) = 'array' THEN
      (SELECT coalesce(jsonb_agg(markdown_fields(part.value, '') ORDER BY part.at), '[]')
       FROM jsonb_array_elements(value) WITH ORDINALITY AS part(value, at))
    WHEN jsonb_typeof(value) = 'string' AND field IN ('bio', 'answer', 'withoutClaim', 'text') THEN
      to_jsonb(markdown_text(value #>> '{}', true))
    ELSE value
  END;
END
$$;--> statement-breakpoint
UPDATE "settings" SET "value" = markdown_fields("value"::jsonb, '')::json
WHERE "name" IN ('copy:instructor', 'copy:questions', 'copy:terms', 'copy:privacy');--> statement-breakpoint
UPDATE "content_drafts" SET "content" = markdown_fields("content"::jsonb, '')::json
WHERE "kind" = 'copy' AND "id" IN ('instructor', 'questions', 'terms', 'privacy');--> statement-breakpoint
UPDATE "announcements" SET "text" = markdown_text("text", false);--> statement-breakpoint
DROP FUNCTION markdown_fields(jsonb, text);--> statement-breakpoint
DROP FUNCTION markdown_text(text, boolean);--> statement-breakpoint
DROP FUNCTION markdown_line(text, boolean);--> statement-breakpoint
DROP FUNCTION markdown_words(text);
