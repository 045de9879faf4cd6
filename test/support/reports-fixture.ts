/**
 * The fixture of tests of reports over HTTP: a service, a workspace with members and keys for each test, and reports in
 * it.
 */
import { KEY_SCOPES, ROLES, type KeyScope, type Role } from '../../src/kernel/principal.js';
import { seedFile } from '../../src/processes/cli/seed.js';
import type { Answer, BootOptions } from './app.js';
import { useFixture, type Fixture } from './fixture.js';

/** A member by role, a key by scope, or the full key of the test environment. */
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
  /** Creates a report with a name and these members. */
  readonly report: (who: Who, more?: object) => Promise<any>;
  readonly graphql: (who: Who, query: string, variables?: object) => Promise<any>;
  /** The member id of the given role. */
  readonly memberId: (role: Role) => Promise<string>;
}

export interface ReportsFixture extends Fixture, ReportsMethods {
  /** The workspace id of the running test. */
  readonly id: string;
  /** Replaces the running test's workspace by a new one; returns a function that restores it. */
  readonly move: () => Promise<() => void>;
}

interface Team {
  readonly id: string;
  readonly keys: ReadonlyMap<string, string>;
}

/** Boots the service before the tests of the calling file, and closes it after them. */
export function reportsFixture(options: BootOptions = {}): ReportsFixture {
  let team: Team | undefined;
  const here = (): Team => {
    if (!team) throw new Error('There is a workspace from the first test on.');
    return team;
  };
  const methods: ReportsMethods & Pick<ReportsFixture, 'move'> = {
    as: async (who) => {
      const { id, keys } = here();
      const key = keys.get(who);
      return key === undefined
        ? { authorization: `Bearer ${await fixture.app.token(emailOf(who))}`, 'x-workspace-id': id }
        : { 'x-api-key': key, 'x-workspace-id': id };
    },
    call: async (who, method, path, body, headers = {}) =>
      fixture.app.request(method, `/v1/reports${path}`, body, { ...(await fixture.as(who)), ...headers }),
    report: async (who, more = {}) => {
      const { status, body } = await fixture.call(who, 'POST', '', { name: 'Numbers', ...more });
      expect([status, body.detail]).toEqual([201, undefined]);
      return body;
    },
    graphql: async (who, query, variables = {}) => {
      const headers = await fixture.as(who);
      return (await fixture.app.request('POST', '/graphql', { query, variables }, headers)).body;
    },
    memberId: async (role) => {
      const { rows } = await fixture.admin.query<{ id: string }>(
        'SELECT id FROM members WHERE workspace_id = $1 AND email = $2',
        [here().id, emailOf(role)],
      );
      return rows[0]?.id ?? '';
    },
    move: async () => {
      const before = here();
      team = await newTeam(fixture);
      return () => void (team = before);
    },
  };
  const laid = useFixture(options, methods);
  const fixture = Object.defineProperty(laid, 'id', { get: () => here().id }) as ReportsFixture;
  beforeEach(async () => {
    team = await newTeam(fixture);
  });
  return fixture;
}

const emailOf = (who: string): string => `${who}@reports.example.com`;

let teams = 0;

async function newTeam({ app }: Fixture): Promise<Team> {
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
