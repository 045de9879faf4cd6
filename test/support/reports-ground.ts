/** What tests of reports over HTTP stand on: a service, a workspace with its people and keys for each test, and reports in it. */
import { KEY_SCOPES, ROLES, type KeyScope, type Role } from '../../src/kernel/principal.js';
import { seedFile } from '../../src/processes/cli/seed.js';
import type { Answer, BootOptions } from './app.js';
import { layGround, type Ground } from './ground.js';

/** A member by its role, a key by its scope, or the full key of the test environment. */
export type Who = Role | `key ${KeyScope}` | 'test key';

interface ReportsMethods {
  readonly as: (who: Who) => Promise<Record<string, string>>;
  /** Calls a path below /v1/reports. */
  readonly call: (
    who: Who,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Answer>;
  /** A new report that has a name, with this besides. */
  readonly report: (who: Who, more?: object) => Promise<any>;
  readonly graphql: (who: Who, query: string, variables?: object) => Promise<any>;
  /** The id of the member of a role. */
  readonly memberId: (role: Role) => Promise<string>;
}

export interface ReportsGround extends Ground, ReportsMethods {
  /** Of the running test. */
  readonly id: string;
  /** Puts another workspace in the place of the running test's; gives a way back. */
  readonly move: () => Promise<() => void>;
}

interface Team {
  readonly id: string;
  readonly keys: ReadonlyMap<string, string>;
}

/** Boots before the tests of the file that calls it, and ends behind them. */
export function reportsGround(options: BootOptions = {}): ReportsGround {
  let team: Team | undefined;
  const here = (): Team => {
    if (!team) throw new Error('There is a workspace from the first test on.');
    return team;
  };
  const methods: ReportsMethods & Pick<ReportsGround, 'move'> = {
    as: async (who) => {
      const { id, keys } = here();
      const key = keys.get(who);
      return key === undefined
        ? { authorization: `Bearer ${await ground.app.token(emailOf(who))}`, 'x-workspace-id': id }
        : { 'x-api-key': key, 'x-workspace-id': id };
    },
    call: async (who, method, path, body, headers = {}) =>
      ground.app.request(method, `/v1/reports${path}`, body, { ...(await ground.as(who)), ...headers }),
    report: async (who, more = {}) => {
      const { status, body } = await ground.call(who, 'POST', '', { name: 'Numbers', ...more });
      expect([status, body.detail]).toEqual([201, undefined]);
      return body;
    },
    graphql: async (who, query, variables = {}) => {
      const headers = await ground.as(who);
      return (await ground.app.request('POST', '/graphql', { query, variables }, headers)).body;
    },
    memberId: async (role) => {
      const { rows } = await ground.admin.query<{ id: string }>(
        'SELECT id FROM members WHERE workspace_id = $1 AND email = $2',
        [here().id, emailOf(role)],
      );
      return rows[0]?.id ?? '';
    },
    move: async () => {
      const before = here();
      team = await newTeam(ground);
      return () => void (team = before);
    },
  };
  const laid = layGround(options, methods);
  const ground = Object.defineProperty(laid, 'id', { get: () => here().id }) as ReportsGround;
  beforeEach(async () => {
    team = await newTeam(ground);
  });
  return ground;
}

const emailOf = (who: string): string => `${who}@reports.example.com`;

let teams = 0;

async function newTeam({ app }: Ground): Promise<Team> {
  const keys = [
    ...KEY_SCOPES.map((scope) => ({ name: `key ${scope}`, scope, environment: 'live' })),
    { name: 'test key', scope: 'full', environment: 'test' },
  ];
  const members = ROLES.map((role) => ({ email: emailOf(role), role }));
  const workspace = { name: `Team ${++teams}`, plan: 'enterprise', account_email_verified: true, members };
  const { workspaces } = await seedFile({ workspaces: [{ ...workspace, api_keys: keys }] }, app.app);
  const [seeded] = workspaces;
  if (!seeded) throw new Error('The workspace was not seeded.');
  return {
    id: seeded.id,
    keys: new Map((seeded.api_keys ?? []).map(({ key }, n) => [keys[n]?.name ?? '', key ?? ''])),
  };
}
