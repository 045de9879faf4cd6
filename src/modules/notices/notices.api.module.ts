/** The page that the mail of an invitation leads to. */
import { Module } from '@nestjs/common';
import { InvitationPageController } from './http/invitation-page.controller.js';

@Module({ controllers: [InvitationPageController] })
export class NoticesApiModule {}
