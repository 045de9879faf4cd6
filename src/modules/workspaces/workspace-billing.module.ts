/** The part of workspaces that billing uses. */
import { Module } from '@nestjs/common';
import { WorkspaceBilling } from './application/workspace-billing.js';
import { WorkspaceBillingRepository } from './persistence/workspace-billing.repository.js';

@Module({ providers: [WorkspaceBilling, WorkspaceBillingRepository], exports: [WorkspaceBilling] })
export class WorkspaceBillingModule {}
