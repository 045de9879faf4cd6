/** The screenshots of a message (section 4.7): light and dark mode, at the width of a phone and of a desktop. */
import { RENDER_CLIENTS, type RenderClient } from '../rendering/render-client.js';

export const COLOUR_SCHEMES = ['light', 'dark'] as const;
export type ColourScheme = (typeof COLOUR_SCHEMES)[number];

export const DEVICES = ['desktop', 'phone'] as const;
export type Device = (typeof DEVICES)[number];

/** The width of the viewport that shows a message, in CSS pixels. */
export const DEVICE_WIDTHS: Readonly<Record<Device, number>> = { desktop: 800, phone: 375 };

export interface Screenshot {
  readonly client: RenderClient;
  readonly scheme: ColourScheme;
  readonly device: Device;
  /** Of the screenshot, in pixels. */
  readonly width: number;
  readonly height: number;
  readonly mediaType: string;
  readonly image: Uint8Array;
}

/** A screenshot as it is stored, without its bytes. */
export type StoredScreenshot = Omit<Screenshot, 'mediaType' | 'image'> & { readonly id: string };

/** Sorts screenshots by client, then by color scheme, then by device. */
export function sortedScreenshots<T extends Pick<Screenshot, 'client' | 'scheme' | 'device'>>(
  screenshots: readonly T[],
): T[] {
  const rank = ({ client, scheme, device }: T): number =>
    (RENDER_CLIENTS.indexOf(client) * COLOUR_SCHEMES.length + COLOUR_SCHEMES.indexOf(scheme)) *
      DEVICES.length +
    DEVICES.indexOf(device);
  return [...screenshots].sort((a, b) => rank(a) - rank(b));
}

/** Maximum number of stored screenshots of one run. */
export const MAX_SCREENSHOTS = 40;
/** Maximum number of bytes of all screenshots of a workspace; beyond it, those of the oldest runs are deleted first. */
export const MAX_STORED_BYTES = 256 * 1024 * 1024;
/** Maximum number of bytes of a stored screenshot. */
export const MAX_SCREENSHOT_BYTES = 400 * 1024;
