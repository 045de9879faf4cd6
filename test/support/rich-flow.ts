/**
 * A flow with every step that takes time or decides: a random split with nested steps, a split on contact data, waits,
 * a condition, a throttle and a send window; and the invariants of its trips after any kill.
 */
import type pg from 'pg';
import type { OpenWorkspace } from './open-workspace.js';

export interface RichFlow {
  readonly id: string;
  readonly throttle: RichFlowOptions['throttle'];
  /** The steps as a caller writes them, with this window for the last message. */
  readonly steps: (window: object) => object[];
  /** When the last message's window opens on the first day, in milliseconds of product time. */
  readonly opens: number;
  /** When the window was removed, after which the last messages may go at any time; undefined while it exists. */
  released: number | undefined;
}

export interface RichFlowOptions {
  readonly event: string;
  readonly contentType: 'transactional' | 'promotional';
  readonly throttle: { readonly limit: number; readonly period: 'hour' | 'day' };
  /** An event of this name converts a trip and ends it. */
  readonly goal?: string;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const PERIODS = { hour: HOUR, day: DAY };
/** How long the window of the last message is open each day. */
const OPEN = 10 * MINUTE;
/** Number of messages that the window must hold back before it is removed. */
const ENOUGH = 20;

/** Messages of a trip that runs to its end. */
export const MESSAGES_OF_A_TRIP = 2;

/** Creates and activates the flow. Contacts whose `property` is "yes" take the first branch of the second split. */
export async function richFlow(workspace: OpenWorkspace, options: RichFlowOptions): Promise<RichFlow> {
  const { event, contentType, throttle, goal } = options;
  const mark = (way: string) => ({ type: 'update_contact', set: { [`way_${contentType}`]: way } });
  const hello = { type: 'send_email', template_slug: 'hello' };
  const wait = { type: 'wait', duration: '10m' };
  const steps = (window: object) => [
    {
      type: 'ab_split',
      variants: [
        { name: 'patient', percentage: 50, steps: [wait, mark('patient'), hello] },
        {
          name: 'asked',
          percentage: 50,
          steps: [
            {
              type: 'conditional_split',
              branches: [
                {
                  name: 'knows',
                  check: { source: 'contact', field: 'properties.chosen', operator: 'equals', value: 'yes' },
                  steps: [mark('chosen'), hello],
                },
                { name: 'others', steps: [wait, mark('other'), hello] },
              ],
            },
          ],
        },
      ],
    },
    wait,
    {
      type: 'condition',
      check: { source: 'latest_event', event_name: event, exists: true },
      on_true: 'continue',
      on_false: 'skip_to_end',
    },
    { ...hello, email_send_settings: window },
  ];
  const { limit, period } = throttle;
  const created = await workspace.call('POST', '/v1/flows', {
    name: `Rich, ${contentType}`,
    trigger_event: event,
    content_type: contentType,
    steps: steps({}),
    settings: { throttle_enabled: true, throttle_limit: limit, throttle_period: period },
  });
  expect([created.status, created.body]).toMatchObject([201, {}]);
  const { id, created_at: createdAt } = created.body as { id: string; created_at: string };
  // Send windows are in whole minutes.
  const opens = Math.floor(Date.parse(createdAt) / MINUTE) * MINUTE + 23 * HOUR;
  const clock = (moment: number): string => new Date(moment).toISOString().slice(11, 16);
  const window = {
    send_window_enabled: true,
    send_window_start: clock(opens),
    send_window_end: clock(opens + OPEN),
    send_window_timezone: 'UTC',
  };
  await rewrite(workspace, id, steps(window));
  if (goal !== undefined) {
    const body = { name: goal, event_name: goal, exit_on_conversion: true };
    expect((await workspace.call('POST', `/v1/flows/${id}/goals`, body)).status).toBe(201);
  }
  expect((await workspace.call('POST', `/v1/flows/${id}/activate`)).status).toBe(200);
  return { id, throttle, steps, opens, released: undefined };
}

/**
 * Makes the database record each message that is queued or first claimed after its trip ended. The timestamps in rows
 * cannot show this: they are when transactions began, which does not give the order of commits. It also records when
 * each message was claimed.
 */
export async function watchForLateMessages(database: pg.Client): Promise<void> {
  await database.query(`
    CREATE TABLE late_messages (id uuid, trip_id uuid, status text);
    CREATE FUNCTION note_late_message() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
    BEGIN
      IF EXISTS (SELECT FROM trips WHERE workspace_id = NEW.workspace_id AND id = NEW.origin_id AND status = 'terminated') THEN
        INSERT INTO late_messages VALUES (NEW.id, NEW.origin_id, NEW.status);
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER note_asked AFTER INSERT ON email_logs FOR EACH ROW EXECUTE FUNCTION note_late_message();
    CREATE TRIGGER note_taken AFTER UPDATE OF status ON email_logs FOR EACH ROW
      WHEN (OLD.status = 'queued' AND NEW.status = 'sending' AND NEW.attempts = 1 AND NEW.reissues = 0)
      EXECUTE FUNCTION note_late_message();
    CREATE TABLE message_claims (n serial, id uuid, at timestamptz);
    CREATE FUNCTION record_claim() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
    BEGIN
      INSERT INTO message_claims (id, at) VALUES (NEW.id, NEW.updated_at);
      RETURN NULL;
    END $$;
    CREATE TRIGGER record_claim AFTER UPDATE OF status ON email_logs FOR EACH ROW
      WHEN (OLD.status = 'queued' AND NEW.status = 'sending') EXECUTE FUNCTION record_claim();`);
}

/** Whether enough messages wait for the window. */
export async function isAwaited(database: pg.Client, flow: RichFlow): Promise<boolean> {
  const { rows } = await database.query(
    `SELECT FROM email_logs WHERE source_id = $1 AND status = 'queued' AND waits_for = 'send_window' LIMIT $2`,
    [flow.id, ENOUGH],
  );
  return rows.length === ENOUGH;
}

/** Removes the window of the last message, so that waiting messages are sent as well. */
export async function openWindow(workspace: OpenWorkspace, flow: RichFlow): Promise<void> {
  flow.released = Date.parse(await rewrite(workspace, flow.id, flow.steps({})));
}

async function rewrite(workspace: OpenWorkspace, id: string, steps: object[]): Promise<string> {
  const { status, body } = await workspace.call('PUT', `/v1/flows/${id}`, { steps });
  expect([status, body]).toMatchObject([200, {}]);
  return body.updated_at as string;
}

/**
 * Checks the invariants, no matter what was killed: each contact has one completed trip; the trip took one path through
 * the splits and has that path's messages, each once in the ledger; nothing was sent while the window was closed, and
 * no period contains more messages than the throttle allows.
 */
export async function expectInOrder(database: pg.Client, flow: RichFlow, contacts: number): Promise<void> {
  const rows = async <Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> =>
    (await database.query<Row>(sql, [flow.id])).rows;
  const [trips] = await rows<Record<string, number>>(
    `SELECT count(*)::int AS all, count(DISTINCT contact_id)::int AS contacts,
       count(*) FILTER (WHERE status = 'completed' AND ended_reason = 'finished')::int AS finished,
       count(*) FILTER (WHERE status = 'terminated' AND ended_reason = 'goal_conversion')::int AS converted
     FROM trips WHERE flow_id = $1`,
  );
  if (!trips) throw new Error('Nothing was counted.');
  expect(trips).toMatchObject({ all: contacts, contacts });
  expect(trips['finished']! + trips['converted']!).toBe(contacts);

  // A finished trip has one message of its path and the last message; the contact's property names the same path.
  const ways = await rows<{ messages: number; steps: number; mark: string; chosen: string; first: number }>(
    `SELECT count(l.id)::int AS messages, count(DISTINCT l.origin_step)::int AS steps, min(l.origin_step) AS first,
       c.properties->>('way_' || min(f.content_type)) AS mark, coalesce(c.properties->>'chosen', 'no') AS chosen
     FROM trips t JOIN flows f ON f.id = t.flow_id JOIN contacts c ON c.id = t.contact_id
     LEFT JOIN email_logs l ON l.origin = 'trip' AND l.origin_id = t.id
     WHERE t.flow_id = $1 AND t.status = 'completed' GROUP BY t.id, c.id, c.properties`,
  );
  expect(
    ways.filter(({ messages, steps }) => messages !== MESSAGES_OF_A_TRIP || steps !== MESSAGES_OF_A_TRIP),
  ).toEqual([]);
  const stepOf = new Map<string, Set<number>>();
  for (const { mark, first } of ways) stepOf.set(mark, (stepOf.get(mark) ?? new Set()).add(first));
  expect([...stepOf].map(([mark, steps]) => [mark, steps.size])).toEqual(
    [...stepOf.keys()].map((mark) => [mark, 1]),
  );
  expect(ways.filter(({ mark, chosen }) => mark === (chosen === 'yes' ? 'other' : 'chosen'))).toEqual([]);

  // A trip that ended by conversion queues and sends nothing more.
  expect(
    await rows(`SELECT l.* FROM late_messages l JOIN trips t ON t.id = l.trip_id WHERE t.flow_id = $1`),
  ).toEqual([]);

  const slots = (
    await rows<{ slot_at: Date; created_at: Date; claimed_at: Date; step: number }>(
      `SELECT slot_at, created_at, origin_step AS step,
         (SELECT at FROM message_claims c WHERE c.id = l.id ORDER BY n DESC LIMIT 1) AS claimed_at
       FROM email_logs l WHERE source_id = $1 AND slot_at IS NOT NULL ORDER BY slot_at`,
    )
  ).map(({ slot_at: at, created_at: asked, claimed_at: claimed, step }) => ({
    ...{ at: at.getTime(), asked: asked.getTime(), claimed: claimed.getTime(), step },
  }));
  const { limit, period } = flow.throttle;
  slots.forEach(({ at }, index) => {
    const beyond = slots[index + limit];
    if (beyond) expect(beyond.at - at).toBeGreaterThanOrEqual(PERIODS[period]);
  });
  // Messages queued while the window was closed: an attempt that began before may have ended then.
  const lastOfWays = Math.max(...ways.map(({ first }) => first));
  const isOpen = (moment: number): boolean =>
    moment >= (flow.released ?? Infinity) || (moment - flow.opens + DAY) % DAY < OPEN;
  const held = slots.filter(({ step, asked }) => step > lastOfWays && !isOpen(asked));
  expect(held.length).toBeGreaterThanOrEqual(ENOUGH);
  // An attempt that begins as the window closes may end at any time after it.
  expect(held.filter(({ at, claimed }) => !isOpen(at) && !isOpen(claimed))).toEqual([]);
}
