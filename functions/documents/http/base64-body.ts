import { settings } from '../settings.ts';

/**
 * The longest JSON body with a file in base64, which takes 4 characters for 3 bytes.
 * @example maxBodyBytes: () => maxBase64Body(1024)
 */
export const maxBase64Body = (otherBytes: number): number =>
  Math.ceil(settings['Uploads:MaxBytes'] / 3) * 4 + otherBytes;
