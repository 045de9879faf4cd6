/** What tests over HTTP stand on: a service, and a workspace of its own for each test. */
import pg from 'pg';
import { bootApp, sharedApp, type BootOptions, type TestApp, type TestWorkspace } from './app.js';

export interface Ground {
  readonly app: TestApp;
  /** A connection that no policy binds. */
  readonly admin: pg.Client;
  /** The running test's; tests may put another in its place. */
  workspace: TestWorkspace;
}

/** Boots before the tests of the file that calls it, and ends behind them; gives the ground with what stands on it. */
export function layGround<Methods extends object>(options: BootOptions, methods: Methods): Ground & Methods {
  const held: { app?: TestApp; admin?: pg.Client; workspace?: TestWorkspace } = {};
  const there = <Item>(item: Item | undefined): Item => {
    if (item === undefined) throw new Error('The ground is laid before the first test, and not earlier.');
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
  const ground: Ground = {
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
  return Object.defineProperties(methods, Object.getOwnPropertyDescriptors(ground)) as Ground & Methods;
}

/** A shared app where nothing is asked for but that no queue is worked on. */
function appFor(options: BootOptions): Promise<TestApp> {
  const { queues, ...rest } = options;
  return queues?.length === 0 && Object.keys(rest).length === 0 ? sharedApp() : bootApp(options);
}
