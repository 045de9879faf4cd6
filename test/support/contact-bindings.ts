/** What modules that write contacts need when a test runs one module alone, without queues and the workflow engine. */
import { Global, Module } from '@nestjs/common';
import { ContactChangesListener } from '../../src/modules/contacts/application/contact-changes.listener.js';
import { CounterRenewal } from '../../src/modules/limits/application/counter-renewal.port.js';
import { PreferenceChangesListener } from '../../src/modules/preferences/application/preference-changes.listener.js';
import { TouchChangedContacts } from '../../src/modules/segments/application/touching-listeners.js';
import { SegmentsModule } from '../../src/modules/segments/segments.module.js';
import { TemplateChanges } from '../../src/modules/templates/application/template-changes.port.js';
import { Listeners } from '../../src/platform/database/listener.js';
import { ErasureBindingsModule } from '../../src/processes/bindings.module.js';

class NothingElseIsCounted extends CounterRenewal {
  override renew(): Promise<void> {
    return Promise.resolve();
  }
}

class IgnoredTemplateChanges extends TemplateChanges {
  override saved(): Promise<void> {
    return Promise.resolve();
  }

  override deleted(): Promise<void> {
    return Promise.resolve();
  }
}

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
    { provide: CounterRenewal, useClass: NothingElseIsCounted },
    { provide: TemplateChanges, useClass: IgnoredTemplateChanges },
  ],
  exports: [ContactChangesListener, CounterRenewal, PreferenceChangesListener, TemplateChanges],
})
export class ContactBindingsModule {}
