/** Workspaces and their members. */
import { Module } from '@nestjs/common';
import { MemberService } from './application/member.service.js';
import { WorkspaceService } from './application/workspace.service.js';
import { MemberRepository } from './persistence/member.repository.js';
import { WorkspaceRepository } from './persistence/workspace.repository.js';

@Module({
  providers: [MemberRepository, MemberService, WorkspaceRepository, WorkspaceService],
  exports: [MemberService, WorkspaceService],
})
export class WorkspacesModule {}
