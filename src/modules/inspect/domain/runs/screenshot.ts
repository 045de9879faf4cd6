/** What pictures of a message are made (section 4.7): light and dark, as wide as a phone and as a desk. */
import { RENDER_CLIENTS, type RenderClient } from '../rendering/render-client.js';

export const COLOUR_SCHEMES = ['light', 'dark'] as const;
export type ColourScheme = (typeof COLOUR_SCHEMES)[number];

export const DEVICES = ['desktop', 'phone'] as const;
export type Device = (typeof DEVICES)[number];

/** CSS pixels of what a message is shown in. */
export const DEVICE_WIDTHS: Readonly<Record<Device, number>> = { desktop: 800, phone: 375 };

export interface Screenshot {
  readonly client: RenderClient;
  readonly scheme: ColourScheme;
  readonly device: Device;
  /** Of the picture, in pixels. */
  readonly width: number;
  readonly height: number;
  readonly mediaType: string;
  readonly image: Uint8Array;
}

/** A picture as it is kept, without its bytes. */
export type KeptScreenshot = Omit<Screenshot, 'mediaType' | 'image'> & { readonly id: string };

/** Puts pictures in the order of programs, then of schemes, then of devices. */
export function inOrder<T extends Pick<Screenshot, 'client' | 'scheme' | 'device'>>(
  pictures: readonly T[],
): T[] {
  const rank = ({ client, scheme, device }: T): number =>
    (RENDER_CLIENTS.indexOf(client) * COLOUR_SCHEMES.length + COLOUR_SCHEMES.indexOf(scheme)) *
      DEVICES.length +
    DEVICES.indexOf(device);
  return [...pictures].sort((a, b) => rank(a) - rank(b));
}

/** Pictures of one run that are kept. */
export const MOST_SCREENSHOTS = 40;
/** Bytes of all pictures of a workspace; beyond them those of the oldest runs go first. */
export const MOST_KEPT_BYTES = 256 * 1024 * 1024;
/** Bytes of a picture that is kept. */
export const MOST_SCREENSHOT_BYTES = 400 * 1024;
