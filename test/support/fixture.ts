/** The fixture of tests over HTTP: a service, and a new workspace for each test. */
import pg from 'pg';
import { bootApp, sharedApp, type BootOptions, type TestApp, type TestWorkspace } from './app.js';

export interface Fixture {
  readonly app: TestApp;
  /** A connection that bypasses row-level security. */
  readonly admin: pg.Client;
  /** The workspace of the running test; tests may replace it. */
  workspace: TestWorkspace;
}

/**
 * Boots the service before the tests of the calling file, and closes it after them. @returns the fixture, with
 * `methods`.
 */
export function useFixture<Methods extends object>(
  options: BootOptions,
  methods: Methods,
): Fixture & Methods {
  const held: { app?: TestApp; admin?: pg.Client; workspace?: TestWorkspace } = {};
  const there = <Item>(item: Item | undefined): Item => {
    if (item === undefined)
      throw new Error('The fixture is ready when the first test begins, and not earlier.');
    return item;
  };
  beforeAll(async () => {
    held.app = await appFor(options);
    held.admin = new pg.Client({ connectionString: held.app.adminUrl });
    await held.admin.connect();
  });
  afterAll(async () => {
    await held.admin?.end();
    await held.app?.close();
  });
  beforeEach(async () => {
    held.workspace = await there(held.app).workspace();
  });
  const fixture: Fixture = {
    get app() {
      return there(held.app);
    },
    get admin() {
      return there(held.admin);
    },
    get workspace() {
      return there(held.workspace);
    },
    set workspace(workspace) {
      held.workspace = workspace;
    },
  };
  return Object.defineProperties(methods, Object.getOwnPropertyDescriptors(fixture)) as Fixture & Methods;
}

/** The shared app if the only option is that no queues are worked on; otherwise a separate app. */
function appFor(options: BootOptions): Promise<TestApp> {
  const { queues, ...rest } = options;
  return queues?.length === 0 && Object.keys(rest).length === 0 ? sharedApp() : bootApp(options);
}
