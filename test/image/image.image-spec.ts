/**
 * The image of docker/Dockerfile: buildah builds it without a container engine. The test starts it as an API and a
 * worker next to a PostgreSQL with production settings, and waits for the first mail.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { figure } from '../support/figure.js';
import { AUDIENCE, ISSUER, KeySetServer, providerKey } from '../support/key-set-server.js';
import { MailSink } from '../support/mail-sink.js';
import { workspaceAt, WORKSPACE_SEED } from '../support/open-workspace.js';
import { freePort, kill, treeOf } from '../support/service-process.js';
import { until } from '../support/until.js';

const ROOT = join(import.meta.dirname, '../..');
const IMAGE = 'localhost/waypost';

const isPossible =
  process.env['TEST_IMAGE'] === 'required' ||
  (process.getuid?.() === 0 && ['buildah', 'debootstrap'].every(isInstalled));

(isPossible ? describe : describe.skip)('the image', () => {
  let folder: string;
  let store: TestDatabase;
  let sink: MailSink;
  let keys: KeySetServer;
  let env: Record<string, string>;
  let port: number;
  const running: ChildProcess[] = [];

  beforeAll(async () => {
    // Images are large, and /tmp may be in memory.
    folder = mkdtempSync('/var/tmp/waypost-image-');
    [store, sink, keys] = await Promise.all([
      createTestDatabase(),
      MailSink.start(),
      new KeySetServer().start(),
    ]);
    keys.keys = [await providerKey('one')];
    port = await freePort();
    const secret = (): string => randomBytes(32).toString('hex');
    env = {
      HOST: '127.0.0.1',
      PORT: String(port),
      BASE_URL: 'https://mail.example.test',
      DATABASE_URL: store.adminUrl,
      SMTP_URL: sink.url,
      AUTH_JWKS_URL: keys.url,
      AUTH_ISSUER: ISSUER,
      AUTH_AUDIENCE: AUDIENCE,
      TOKEN_SECRET: secret(),
      API_KEY_SECRET: secret(),
      ENCRYPTION_KEY: secret(),
    };
  });
  afterAll(async () => {
    for (const { pid } of running) if (pid !== undefined) for (const one of treeOf(pid)) kill(one, 'SIGKILL');
    await Promise.all([store.drop(), sink.stop(), keys.stop()]);
    rmSync(folder, { recursive: true, force: true });
  });

  const buildah = (...args: string[]): string[] => [
    ...['--root', join(folder, 'images'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs'],
    ...args,
  ];

  /** Runs a command in a container of the image. */
  function inside(container: string, ...command: string[]): ChildProcess & { output: string } {
    const settings = Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
    const options = ['--isolation', 'chroot', ...settings];
    const child = Object.assign(
      spawn('buildah', buildah('run', ...options, container, '--', ...command), {
        stdio: ['pipe', 'pipe', 'pipe'],
      }),
      { output: '' },
    );
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (child.output += chunk.toString()));
    running.push(child);
    return child;
  }

  test('is built, and its API and worker bring the first mail', async () => {
    const begun = Date.now();
    const build = spawn('bash', [join(ROOT, 'docker/build-without-engine.sh'), folder], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.push(build);
    let words = '';
    for (const stream of [build.stdout, build.stderr])
      stream.on('data', (chunk: Buffer) => (words = (words + chunk.toString()).slice(-8_192)));
    const code = await new Promise((resolve) => build.once('close', resolve));
    if (code !== 0) throw new Error(`The build ended with ${String(code)}:\n${words}`);
    figure(`The image was built after ${Math.round((Date.now() - begun) / 1_000)} s.`);

    const said = async (of: { output: string; exitCode: number | null }, text: string): Promise<void> =>
      until(
        `it says "${text}"`,
        () => {
          if (of.exitCode !== null) throw new Error(`It ended with ${of.exitCode}:\n${of.output}`);
          return of.output.includes(text);
        },
        () => of.output.length,
      );
    const made = spawnSync('buildah', buildah('from', '--pull-never', IMAGE), { encoding: 'utf8' });
    if (made.status !== 0) throw new Error(made.stderr);
    const box = made.stdout.trim();
    const who = inside(box, 'id', '-un');
    await new Promise((resolve) => who.once('close', resolve));
    expect(who.output.trim()).toBe('node');

    const api = inside(box, 'node', 'dist/bundle/api.main.js');
    await until('the API is ready', async () => {
      if (api.exitCode !== null) throw new Error(`It ended with ${api.exitCode}:\n${api.output}`);
      return fetch(`http://127.0.0.1:${port}/health/ready`).then(
        ({ status }) => status === 200,
        () => false,
      );
    });
    const seed = inside(box, 'node', 'dist/bundle/cli.main.js', 'seed', '-');
    seed.stdin?.end(JSON.stringify({ workspaces: [WORKSPACE_SEED] }));
    await new Promise((resolve) => seed.once('close', resolve));
    const [, id = ''] = /"id": ?"([0-9a-f-]{36})"/.exec(seed.output) ?? [];
    const [, key = ''] = /"key": ?"(psk_live_\w+)"/.exec(seed.output) ?? [];
    expect([id, key]).not.toContain('');
    const workspace = workspaceAt(`http://127.0.0.1:${port}`, id, key);
    await workspace.template('welcome');
    await workspace.flow('transactional', 'signed_up', [{ type: 'send_email', template_slug: 'welcome' }]);
    expect(await workspace.signUp('ada')).toBe(true);

    const worker = inside(box, 'node', 'dist/bundle/worker.main.js');
    await said(worker, 'The worker is ready');
    await until('the mail arrives', () => sink.to('ada@example.com').length === 1);
    figure(
      `The first mail came ${Math.round((Date.now() - begun) / 1_000)} s after the beginning of the build.`,
    );
  });
});

function isInstalled(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
}
