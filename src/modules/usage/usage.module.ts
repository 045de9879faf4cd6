/** Plan usage and notices about it. */
import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { ContactsModule } from '../contacts/contacts.module.js';
import { FlowsModule } from '../flows/flows.module.js';
import { LimitsModule } from '../limits/limits.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { UsedLimits } from './application/used-limits.js';

@Module({
  imports: [ApiKeysModule, ContactsModule, FlowsModule, LimitsModule, WorkspacesModule],
  providers: [UsedLimits],
  exports: [UsedLimits],
})
export class UsageModule {}
