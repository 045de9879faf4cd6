/** Workspaces and their members. */
import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { MemberService } from './application/member.service.js';
import { WorkspaceRates } from './application/workspace-rates.js';
import { WorkspaceService } from './application/workspace.service.js';
import { MemberRepository } from './persistence/member.repository.js';
import { WorkspaceRepository } from './persistence/workspace.repository.js';

@Module({
  imports: [AuditModule],
  providers: [MemberRepository, MemberService, WorkspaceRates, WorkspaceRepository, WorkspaceService],
  exports: [MemberService, WorkspaceRates, WorkspaceService],
})
export class WorkspacesModule {}
