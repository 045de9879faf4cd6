/** The fixture of sending tests: a database, a mail server, and a sender that uses both. */
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { MailSink } from '../support/mail-sink.js';
import { startSending, type SendingApp } from './sending-app.js';

export interface SendingFixture {
  readonly database: TestDatabase;
  readonly sink: MailSink;
  readonly app: SendingApp;
}

/** Creates the fixture before the tests of the calling file, passes it to `take`, and removes it afterwards. */
export function useFixture(take: (fixture: SendingFixture) => void): void {
  const held: { -readonly [Part in keyof SendingFixture]?: SendingFixture[Part] } = {};
  beforeAll(async () => {
    const database = (held.database = await createTestDatabase());
    const sink = (held.sink = await MailSink.start());
    const app = (held.app = await startSending(database, sink.url));
    take({ database, sink, app });
  });
  afterAll(async () => {
    await held.app?.close();
    await held.sink?.stop();
    await held.database?.drop();
  });
}
