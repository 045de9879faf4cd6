/** The API in the test's own process, and separate worker processes that the test starts and kills. */
import pg from 'pg';
import { bootApp, type TestApp } from './app.js';
import { type OpenWorkspace, workspaceAt } from './open-workspace.js';
import { ServiceProcess } from './service-process.js';

export interface WorkerFixture {
  readonly app: TestApp;
  /** A connection as the database's administrator. */
  readonly database: pg.Client;
  /** Environment variables for processes other than the API. */
  readonly env: Readonly<Record<string, string>>;
  /** Creates a workspace without caps. */
  workspace(): Promise<OpenWorkspace>;
  /** Starts a worker, on all queues by default, and waits until it is ready. */
  startWorker(queues?: string): Promise<ServiceProcess>;
  /** Stops every running worker and removes everything that was created. */
  close(): Promise<void>;
}

/** @param env variables of the API and of the workers, such as CLOCK_SPEED; LOG_LEVEL applies to the workers only. */
export async function startWorkerFixture(env: Readonly<Record<string, string>> = {}): Promise<WorkerFixture> {
  const { LOG_LEVEL = 'info', ...shared } = env;
  const app = await bootApp({ queues: [], isRealTime: true, env: shared });
  const database = new pg.Client({ connectionString: app.adminUrl });
  await database.connect();
  const workers: ServiceProcess[] = [];
  const all = {
    DATA_DIR: app.environment.dataDir,
    DATABASE_URL: app.adminUrl,
    SMTP_URL: app.sink.url,
    LOG_LEVEL,
    ...shared,
  };
  return {
    app,
    database,
    env: all,
    workspace: async () => {
      const { id, key } = await app.workspace();
      return workspaceAt(app.url, id, key);
    },
    startWorker: async (queues) => {
      const args = queues === undefined ? [] : [`--queues=${queues}`];
      const worker = ServiceProcess.start('worker', all, args);
      workers.push(worker);
      return worker.wrote('The worker is ready');
    },
    close: async () => {
      await Promise.all(workers.map((worker) => worker.stop()));
      await database.end();
      await app.close();
    },
  };
}
