/** Applies pending rollup deltas to the rollups, for tests of readers that combine both. */
import type pg from 'pg';
import { ROLLUPS } from '../../src/modules/metrics/domain/rollup.js';

const KEYS: Readonly<Record<string, readonly string[]>> = {
  email: ['source_id', 'template_slug', 'content_type', 'status', 'domain', 'tracked'],
  trip: ['flow_id', 'flow_version', 'status', 'ended_reason'],
  step: ['flow_id', 'step_id'],
  event: ['event_name'],
  contact: [],
};
const COUNTERS: Readonly<Record<string, readonly string[]>> = {
  email: ['messages', 'delivered', 'opened', 'clicked', 'bounced', 'complained', 'unsubscribed'],
  trip: ['trips', 'converted'],
  step: ['trips'],
  event: ['events'],
  contact: ['created', 'unsubscribed', 'deleted', 'revived'],
};

/** @param share fraction of the deltas to apply; 1 applies all. */
export async function foldChanges(admin: pg.Client, share = 1): Promise<void> {
  for (const name of ROLLUPS) {
    const keys = KEYS[name] ?? [];
    const counters = COUNTERS[name] ?? [];
    const levels = name === 'email' ? [0, 1, 2, 3] : [0, 1];
    await admin.query('BEGIN');
    await admin.query(
      `CREATE TEMPORARY TABLE taken ON COMMIT DROP AS SELECT * FROM ${name}_changes WHERE random() < $1`,
      [share],
    );
    await admin.query(
      `DELETE FROM ${name}_changes c USING taken t WHERE c.workspace_id = t.workspace_id AND c.id = t.id`,
    );
    for (const level of levels) {
      const at = level % 2 === 0 ? `date_trunc('day', at, 'UTC')` : 'at';
      const values = keys.map((key) => (key === 'domain' && level < 2 ? `''` : key));
      const place = ['workspace_id', 'environment', 'level', 'at', ...keys, 'retired'];
      const groups = Array.from({ length: place.length }, (_, index) => index + 1);
      await admin.query(
        `INSERT INTO ${name}_rollups AS r (${[...place, ...counters].join(', ')})
         SELECT workspace_id, environment, ${level}::smallint, ${[at, ...values].join(', ')}, retired, ${counters.map((counter) => `sum(${counter})`).join(', ')}
         FROM taken GROUP BY ${groups.join(', ')}
         ON CONFLICT (${place.join(', ')}) DO UPDATE SET ${counters.map((counter) => `${counter} = r.${counter} + excluded.${counter}`).join(', ')}`,
      );
    }
    await admin.query('COMMIT');
  }
}
