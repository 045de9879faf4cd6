/** What whoever writes contacts needs where there are no queues and no engine: for tests of a part of the house by itself. */
import { Global, Module } from '@nestjs/common';
import { ContactChangesListener } from '../../src/modules/contacts/application/contact-changes.listener.js';
import { AutoRuns } from '../../src/modules/inspect/application/auto-runs.js';
import { CreditRenewal } from '../../src/modules/inspect/application/credit-renewal.js';
import { InspectChangesModule } from '../../src/modules/inspect/inspect-changes.module.js';
import { CounterRenewal } from '../../src/modules/limits/application/counter-renewal.port.js';
import { PreferenceChangesListener } from '../../src/modules/preferences/application/preference-changes.listener.js';
import { TouchChangedContacts } from '../../src/modules/segments/application/touching-listeners.js';
import { SegmentsModule } from '../../src/modules/segments/segments.module.js';
import { TemplateChanges } from '../../src/modules/templates/application/template-changes.port.js';
import { Listeners } from '../../src/platform/database/listener.js';
import { ErasureBindingsModule } from '../../src/processes/bindings.module.js';

@Global()
@Module({
  imports: [ErasureBindingsModule, InspectChangesModule, SegmentsModule],
  providers: [
    {
      provide: ContactChangesListener,
      inject: [TouchChangedContacts],
      useFactory: (touch: TouchChangedContacts) => new Listeners([touch]),
    },
    { provide: PreferenceChangesListener, useValue: new Listeners([]) },
    { provide: CounterRenewal, useExisting: CreditRenewal },
    { provide: TemplateChanges, useExisting: AutoRuns },
  ],
  exports: [ContactChangesListener, CounterRenewal, PreferenceChangesListener, TemplateChanges],
})
export class ContactBindingsModule {}
