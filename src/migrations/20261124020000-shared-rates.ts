/**
 * Request rates that processes count together, and rates of a workspace's own. What is counted is cache: it is not logged,
 * a crash of the server empties it, and the windows begin anew.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { APP_ROLE } from './frozen/20261121120000-tenant-tables.js';

const UP = `
ALTER TABLE workspaces ADD COLUMN custom_rates jsonb NOT NULL DEFAULT '{}';

-- What was given out in the last slots of a window, the latest last; the key is a digest, and names nobody.
CREATE UNLOGGED TABLE rate_windows (
  key uuid PRIMARY KEY, slot bigint NOT NULL, counts integer[] NOT NULL, expires_at timestamptz(3) NOT NULL)
  WITH (fillfactor = 50);
CREATE INDEX rate_windows_expired ON rate_windows (expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON rate_windows TO ${APP_ROLE};

-- Grants requests of windows, each by itself, as far as there is room. Windows are locked in the order of their keys. A
-- window has 60 slots besides the present one. Beyond what is needed a sixteenth of the room is given at most, and
-- nothing where there is little room.
CREATE FUNCTION take_rates(
  asked_keys uuid[], lengths integer[], limits integer[], needs integer[], wants integer[], backs integer[],
  back_slots bigint[], moment timestamptz)
RETURNS TABLE (place integer, granted integer, in_slot bigint, slot_left integer, used bigint, frees_in integer)
LANGUAGE plpgsql AS $$
DECLARE
  ask record;
  kept bigint;
  past integer[];
  present bigint;
  now_ms bigint;
  slot_length integer;
  room bigint;
BEGIN
  FOR ask IN
    SELECT * FROM unnest(asked_keys, lengths, limits, needs, wants, backs, back_slots) WITH ORDINALITY
      AS a (key, length, most, need, want, back, back_slot, number)
    ORDER BY a.key
  LOOP
    LOOP
      SELECT w.slot, w.counts INTO kept, past FROM rate_windows w WHERE w.key = ask.key FOR UPDATE;
      EXIT WHEN FOUND;
      INSERT INTO rate_windows VALUES (ask.key, 0, array_fill(0, ARRAY[61]), clock_timestamp() + interval '2 hours')
      ON CONFLICT DO NOTHING;
    END LOOP;
    slot_length := ask.length / 60;
    -- Once the window is locked, so that nobody before has seen a later moment.
    now_ms := floor(extract(epoch FROM coalesce(moment, clock_timestamp())) * 1000);
    present := now_ms / slot_length;
    -- Where the clock was set back, what was counted counts as if it were of now.
    IF present - kept > 60 THEN past := array_fill(0, ARRAY[61]);
    ELSIF present > kept THEN
      past := past[present - kept + 1 : 61] || array_fill(0, ARRAY[(present - kept)::integer]);
    END IF;
    IF ask.back > 0 AND present - ask.back_slot BETWEEN 0 AND 60 THEN
      past[61 - (present - ask.back_slot)] := greatest(0, past[61 - (present - ask.back_slot)] - ask.back);
    END IF;
    SELECT sum(one) INTO used FROM unnest(past) AS one;
    room := greatest(0, ask.most - used);
    granted := least(room, greatest(ask.need, CASE WHEN room < 256 THEN 0 ELSE least(ask.want, room / 16) END));
    past[61] := past[61] + granted;
    used := used + granted;
    place := ask.number;
    in_slot := present;
    slot_left := (present + 1) * slot_length - now_ms;
    SELECT (present + coalesce(min(i), 61)) * slot_length - now_ms INTO frees_in
      FROM generate_subscripts(past, 1) AS i WHERE past[i] > 0;
    UPDATE rate_windows w SET slot = present, counts = past,
      expires_at = date_trunc('hour', clock_timestamp()) + interval '3 hours' WHERE w.key = ask.key;
    RETURN NEXT;
  END LOOP;
END $$;
REVOKE EXECUTE ON FUNCTION take_rates FROM PUBLIC;
GRANT EXECUTE ON FUNCTION take_rates TO ${APP_ROLE};
`;

export class SharedRates20261124020000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION take_rates');
    await runner.query('DROP TABLE rate_windows');
    await runner.query('ALTER TABLE workspaces DROP COLUMN custom_rates');
  }
}
