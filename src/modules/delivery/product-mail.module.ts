/** Sends the product's own mail. It has its own connections, so it never waits for a campaign. */
import { Module } from '@nestjs/common';
import { FeedbackTokens } from './application/feedback-tokens.js';
import { MailSigner } from './application/mail-signer.js';
import { MailTransports } from './application/mail-transport.port.js';
import { ProductMail } from './application/product-mail.js';
import { ConfiguredTransports } from './transport/configured-transports.js';

@Module({
  providers: [
    { provide: MailTransports, useClass: ConfiguredTransports },
    FeedbackTokens,
    MailSigner,
    ProductMail,
  ],
  exports: [ProductMail],
})
export class ProductMailModule {}
