/**
 * The email of the mail benchmark: a newsletter of about 27 KB with a grid of forty products, a condition, a loop
 * and a footer. Provides the template and the event that fills it.
 */

const STYLES = 60;
const PRODUCTS = 40;
const LOREM =
  'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore magna aliqua.';

export const MAIL_EVENT = 'picks_ready';
export const MAIL_SUBJECT = 'Your weekly picks';

/** Contents of the newsletter's placeholders: template expressions, or their values for one person. */
interface Places {
  readonly subject: string;
  readonly firstName: string;
  readonly club: string;
  readonly personId: string;
  readonly campaignId: string;
  readonly items: string;
  readonly address: string;
}

/**
 * The template's HTML.
 * @param source where a message reads the data that is the same for all recipients: its event or its contact.
 */
export function newsletterTemplate(source: 'event' | 'contact' = 'event'): string {
  const of = (name: string): string =>
    source === 'event' ? `the ${name} from the trigger event` : `the user's ${name}`;
  return newsletter({
    subject: `{${of('subject')}}`,
    firstName: "{the user's first_name}",
    club: "{if the user's vip is true}<p>VIP {the user's tier}</p>{else}<p>Join our club</p>{end if}",
    personId: "{the user's external_id}",
    campaignId: `{${of('campaign_id')}}`,
    items:
      `{for each item in ${of('items')}}<tr><td>` +
      "{the item's name} x {the item's qty} - {the item's price} {the user's currency}</td></tr>{end for}",
    address: `{${of('company_address')}}`,
  });
}

/** The rendered newsletter of one person, for the reference that only sends. */
export function newsletterOf(prefix: string, index: number): string {
  const { external_id: id, attributes, contact } = mailEvent(prefix, index);
  const { vip, tier, currency } = contact.properties;
  return newsletter({
    subject: attributes.subject,
    firstName: contact.first_name,
    club: vip ? `<p>VIP ${tier}</p>` : '<p>Join our club</p>',
    personId: id,
    campaignId: String(attributes.campaign_id),
    items: attributes.items
      .map(({ name, qty, price }) => `<tr><td>${escaped(name)} x ${qty} - ${price} ${currency}</td></tr>`)
      .join(''),
    address: escaped(attributes.company_address),
  });
}

/** The event that triggers the newsletter to a person. */
export function mailEvent(prefix: string, index: number) {
  return {
    external_id: `${prefix}-${index}`,
    event_name: MAIL_EVENT,
    attributes: {
      subject: MAIL_SUBJECT,
      campaign_id: 7,
      company_address: '1 Main St & Co',
      items: Array.from({ length: 8 }, (_, item) => ({
        name: `Item <${item}>`,
        qty: item + 1,
        price: (item * 3.5).toFixed(2),
      })),
    },
    contact: {
      email: addressOf(prefix, index),
      first_name: firstNameOf(index),
      properties: { vip: index % 3 === 0, tier: 'gold', currency: 'EUR' },
    },
  };
}

export function addressOf(prefix: string, index: number): string {
  return `${prefix}-${index}@example.test`;
}

/** Text that appears only in this person's mail. */
export function greetingOf(index: number): string {
  return `<h1>Hello ${firstNameOf(index)}!</h1>`;
}

function firstNameOf(index: number): string {
  return `User${index}`;
}

function newsletter(places: Places): string {
  const styles = Array.from(
    { length: STYLES },
    (_, i) =>
      `.c${i}{font-family:Arial,Helvetica,sans-serif;font-size:${10 + (i % 9)}px;line-height:1.5;` +
      `color:#33${i % 10}${i % 10}33;padding:${i % 20}px}`,
  ).join('');
  const products = Array.from(
    { length: PRODUCTS },
    (_, i) =>
      `<tr><td class="c${i}" style="padding:10px 20px;background:#f${i % 9}f${i % 9}f${i % 9}">` +
      `<a href="https://example.test/p/${i}?u=${places.personId}&c=${places.campaignId}" ` +
      'style="text-decoration:none;color:#1a1a1a">' +
      `<img src="https://cdn.example.test/img/${i}.png" width="180" height="120" alt="Product ${i}"/></a>` +
      `<h3 style="margin:0;font-size:18px">Product ${i} for ${places.firstName}</h3>` +
      `<p style="margin:4px 0;color:#666">${LOREM}</p></td></tr>`,
  ).join('');
  return (
    `<!doctype html><html><head><meta charset="utf-8"><title>${places.subject}</title><style>${styles}</style></head>` +
    `<body><table width="600" align="center"><tr><td><h1>Hello ${places.firstName}!</h1>${places.club}</td></tr>` +
    `${products}${places.items}<tr><td><a href="https://example.test/u?u=${places.personId}">Unsubscribe</a> ` +
    `${places.address}</td></tr></table></body></html>`
  );
}

function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
