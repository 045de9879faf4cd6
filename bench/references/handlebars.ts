/** Reference for rendering: precompiled Handlebars and nothing else. */
import Handlebars from 'handlebars';
import type { HandlebarsContext } from '../marketing-email.js';

/** Returns a function that renders the template, with the helpers `currency` and `uppercase`. */
export function handlebarsRenderer(source: string): (context: HandlebarsContext) => string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'EUR' });
  const handlebars = Handlebars.create();
  handlebars.registerHelper('currency', (value: number) => format.format(value));
  handlebars.registerHelper('uppercase', (value: string) => value.toUpperCase());
  const render = handlebars.compile<HandlebarsContext>(source);
  return (context) => render(context);
}
