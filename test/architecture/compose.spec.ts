/**
 * The workers of docker/compose.yml together process every queue, each worker its own ones. A queue without a
 * worker would never be processed.
 */
import { readFileSync } from 'node:fs';
import { loadConfig } from '../../src/platform/config/config.js';
import { QUEUES } from '../../src/platform/queue/wake-ups.js';

test('every queue has its worker', () => {
  const compose = readFileSync('docker/compose.yml', 'utf8');
  const named = [...compose.matchAll(/--queues=([\w,-]+)/g)].flatMap(([, queues = '']) => queues.split(','));
  expect(named.toSorted()).toEqual([...QUEUES].toSorted());
});

describe('the variables of .env.example', () => {
  const example = readFileSync('.env.example', 'utf8');
  const compose = readFileSync('docker/compose.yml', 'utf8');
  const offered = [...example.matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)].map(([, name = '']) => name);
  /** Used by `npm start` only: containers store no data and have no local mailbox. */
  const OF_NPM_START = ['DATA_DIR', 'MAILBOX_PORT', 'MAILBOX_HOST'];

  test('are all read by docker/compose.yml, which reads no others', () => {
    const read = new Set([...compose.matchAll(/(?<!\$)\$\{([A-Z][A-Z0-9_]+)/g)].map(([, name = '']) => name));
    expect([...read].sort()).toEqual(offered.filter((name) => !OF_NPM_START.includes(name)).sort());
  });

  test('are those that the configuration reads', () => {
    const asked = new Set<string>();
    const env = new Proxy<Record<string, string | undefined>>(
      {},
      {
        get: (_, name) => {
          asked.add(String(name));
          return undefined;
        },
      },
    );
    loadConfig(env);
    const ofCompose = ['POSTGRES_PASSWORD', 'REDIS_PASSWORD'];
    expect([...asked].sort()).toEqual(
      ['NODE_ENV', ...offered.filter((name) => !ofCompose.includes(name))].sort(),
    );
  });

  test('that a start needs in production have no default: what is missing is named', () => {
    const required = /^ {4}([A-Z_]+): \$\{\1:?\?\1 is missing/gm;
    expect([...compose.matchAll(required)].map(([, name]) => name).sort()).toEqual([
      'API_KEY_SECRET',
      'AUTH_AUDIENCE',
      'AUTH_ISSUER',
      'AUTH_JWKS_URL',
      'BASE_URL',
      'ENCRYPTION_KEY',
      'SMTP_URL',
      'TOKEN_SECRET',
    ]);
  });

  test('reach the container as they are: no value of compose takes the place of one', () => {
    const defaults = [...compose.matchAll(/^ {4}([A-Z_]+): \$\{\1:-([^}]+)/gm)].map(([, name]) => name);
    // Servers that compose starts itself.
    expect(defaults.sort()).toEqual(['DATABASE_URL', 'QUEUE_BACKEND', 'REDIS_URL']);
  });
});
