/** The page behind the link in an invitation mail. */
import { Module } from '@nestjs/common';
import { InvitationPageController } from './http/invitation-page.controller.js';

@Module({ controllers: [InvitationPageController] })
export class NoticesApiModule {}
