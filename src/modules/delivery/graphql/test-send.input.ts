/** A test email as the dashboard asks for it; the fields are read by the same reader as those of REST. */
import { Field, InputType } from '@nestjs/graphql';
import { Allow } from 'class-validator';
import { readTestSend, type TestSend } from '../domain/read-test-send.js';

@InputType('TestEmailInput')
export class TestEmailInput {
  @Allow() @Field(() => [String], { description: '1 to 5 addresses.' }) toEmails: string[];
  @Allow() @Field(() => String, { nullable: true }) subject?: string | null;
  @Allow() @Field() bodyHtml: string;
  @Allow() @Field(() => String, { nullable: true }) senderName?: string | null;
  @Allow() @Field(() => String, { nullable: true }) fromEmail?: string | null;
  @Allow() @Field(() => String, { nullable: true }) replyTo?: string | null;
}

/** @throws DomainError as readTestSend. */
export function testSendOf(input: TestEmailInput): TestSend {
  return readTestSend({
    to_emails: input.toEmails,
    subject: input.subject,
    body_html: input.bodyHtml,
    sender_name: input.senderName,
    from_email: input.fromEmail,
    reply_to: input.replyTo,
  });
}
