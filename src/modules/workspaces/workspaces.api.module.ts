/** Workspaces and members in REST and GraphQL. */
import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { InvitationService } from './application/invitation.service.js';
import { TeamService } from './application/team.service.js';
import { WorkspaceChangesService } from './application/workspace-changes.service.js';
import { WorkspaceDeletionService } from './application/workspace-deletion.service.js';
import { MemberResolver } from './graphql/member.resolver.js';
import { WorkspaceResolver } from './graphql/workspace.resolver.js';
import { InvitationsController } from './http/invitations.controller.js';
import { MembersController } from './http/members.controller.js';
import { MemberRepository } from './persistence/member.repository.js';
import { WorkspaceRepository } from './persistence/workspace.repository.js';
import { WorkspacesModule } from './workspaces.module.js';

@Module({
  imports: [ApiKeysModule, AuditModule, WorkspacesModule],
  controllers: [InvitationsController, MembersController],
  providers: [
    InvitationService,
    MemberRepository,
    MemberResolver,
    TeamService,
    WorkspaceRepository,
    WorkspaceResolver,
    WorkspaceChangesService,
    WorkspaceDeletionService,
  ],
})
export class WorkspacesApiModule {}
