/** The whole service with flows that a test creates, advanced from one idle state to the next. */
import pg from 'pg';
import { FlowLifeCycle } from '../../src/modules/flows/application/flow-life-cycle.js';
import { FlowService } from '../../src/modules/flows/application/flow.service.js';
import { readFlow } from '../../src/modules/flows/input/flow.input.js';
import { bootApp, type TestApp, type TestWorkspace } from '../support/app.js';
import { until } from '../support/until.js';

export interface TripRow {
  readonly id: string;
  readonly flow_id: string;
  readonly external_id: string;
  readonly trigger_event_id: string;
  readonly status: string;
  readonly ended_reason: string | null;
  readonly last_step: number;
  readonly resume_at: Date | null;
  /** Template slugs of its messages, without duplicates, in order of first use. */
  readonly templates: readonly string[];
  readonly subjects: readonly (string | null)[];
}

export class TripsFixture {
  private constructor(
    readonly app: TestApp,
    readonly admin: pg.Client,
  ) {}

  static async lay(): Promise<TripsFixture> {
    const app = await bootApp();
    const admin = new pg.Client({ connectionString: app.adminUrl });
    await admin.connect();
    return new TripsFixture(app, admin);
  }

  async clear(): Promise<void> {
    await this.admin.end();
    await this.app.close();
  }

  async template(workspace: TestWorkspace, slug: string): Promise<void> {
    const template = { name: slug, slug, subject: slug, body_html: `<p>${slug}</p>` };
    expect((await workspace.call('POST', '/v1/templates', template)).status).toBe(201);
  }

  /** Creates and activates a flow without rate limits; returns its id. */
  async flow(workspace: TestWorkspace, more: object): Promise<string> {
    const service = this.app.app.get(FlowService, { strict: false });
    const scope = { workspaceId: workspace.id, environment: 'live' } as const;
    const input = readFlow({ name: 'Flow', trigger_event: 'began', content_type: 'transactional', ...more });
    const plan = { caps: { flows: Number.POSITIVE_INFINITY } } as Parameters<FlowService['create']>[1];
    const { id } = await service.create(scope, plan, input, 'a test');
    await this.app.app.get(FlowLifeCycle, { strict: false }).activate(scope, id);
    return id;
  }

  /** Waits until nothing is due at the current time. */
  async quiet(): Promise<void> {
    const moving = `(SELECT count(*) FROM events WHERE processed_at IS NULL)
      + (SELECT count(*) FROM trips WHERE resume_at <= $1 OR status IN ('active', 'awaiting_send'))
      + (SELECT count(*) FROM email_logs WHERE status IN ('queued', 'sending'))`;
    const count = async (): Promise<number> => {
      const { rows } = await this.admin.query<{ n: number }>(`SELECT (${moving})::int AS n`, [
        this.app.clock.now(),
      ]);
      return rows[0]?.n ?? 0;
    };
    await until('all is quiet', async () => (await count()) === 0, count);
  }

  async wind(milliseconds: number): Promise<void> {
    this.app.clock.wind(milliseconds);
    await this.quiet();
  }

  /** The trips of a workspace, earliest first. */
  async trips(workspace: TestWorkspace): Promise<TripRow[]> {
    const { rows } = await this.admin.query<TripRow>(
      `SELECT t.id, t.flow_id, c.external_id, t.trigger_event_id, t.status, t.ended_reason, t.last_step, t.resume_at,
         coalesce(e.templates, '{}') AS templates, coalesce(e.subjects, '{}') AS subjects
       FROM trips t JOIN contacts c ON c.workspace_id = t.workspace_id AND c.id = t.contact_id
       LEFT JOIN LATERAL (
         SELECT array_agg(l.template_slug ORDER BY l.created_at, l.id) AS templates,
           array_agg(l.options->>'subject' ORDER BY l.created_at, l.id) AS subjects
         FROM email_logs l WHERE l.workspace_id = t.workspace_id AND l.origin = 'trip' AND l.origin_id = t.id) e ON true
       WHERE t.workspace_id = $1 ORDER BY t.started_at, t.id`,
      [workspace.id],
    );
    return rows;
  }
}
