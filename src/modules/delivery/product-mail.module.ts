/** The way of the product's own mail out of the house: connections of its own, so that it waits behind nobody's campaign. */
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
