/** What whoever writes contacts needs where there are no queues and no engine: for tests of a part of the house by itself. */
import { Global, Module } from '@nestjs/common';
import { ContactChangesListener } from '../../src/modules/contacts/application/contact-changes.listener.js';
import { PreferenceChangesListener } from '../../src/modules/preferences/application/preference-changes.listener.js';
import { TouchChangedContacts } from '../../src/modules/segments/application/touching-listeners.js';
import { SegmentsModule } from '../../src/modules/segments/segments.module.js';
import { Listeners } from '../../src/platform/database/listener.js';
import { ErasureBindingsModule } from '../../src/processes/bindings.module.js';

@Global()
@Module({
  imports: [ErasureBindingsModule, SegmentsModule],
  providers: [
    {
      provide: ContactChangesListener,
      inject: [TouchChangedContacts],
      useFactory: (touch: TouchChangedContacts) => new Listeners([touch]),
    },
    { provide: PreferenceChangesListener, useValue: new Listeners([]) },
  ],
  exports: [ContactChangesListener, PreferenceChangesListener],
})
export class ContactBindingsModule {}
