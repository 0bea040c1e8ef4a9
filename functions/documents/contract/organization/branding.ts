import * as z from 'zod';
import { COLOR } from '../../../../shared/brand/branding.ts';
import { pathId } from '../../../../shared/http/validate.ts';
import { ORGANIZATION_ID } from '../examples.ts';
import { line, orNull } from '../fields.ts';

// 100 KB as base64.
const MAX_LOGO_BASE64 = 136_540;

export const BrandingRequest = z
  .object({
    displayName: orNull(line(80)).describe(
      'The name on pages and in mail; null for the name of the organization.',
    ),
    color: orNull(z.string().regex(COLOR, 'must be a color such as #1f4f82')).describe(
      'The color of the head of pages, `#rrggbb`. Text on it is white or black, whichever is read better.',
    ),
    logo: z
      .base64()
      .max(MAX_LOGO_BASE64, 'is larger than 100 KB')
      .nullish()
      .describe('A PNG or JPEG of at most 100 KB, as base64. Left out the logo stays, and null removes it.'),
  })
  .meta({
    description: 'The name, the color and the logo of an organization.',
    examples: [{ displayName: 'Acme', color: '#1f4f82' }],
  });

export const BrandingModel = z
  .object({
    displayName: z.string(),
    logoUrl: z.string().nullable(),
    color: z.string().nullable(),
  })
  .meta({
    description: 'How an organization presents itself on pages and in mail.',
    examples: [{ displayName: 'Acme', logoUrl: null, color: '#1f4f82' }],
  });

export const LogoParams = z.object({
  orgId: pathId().meta({ description: 'The organization.', examples: [ORGANIZATION_ID] }),
  version: z
    .string()
    .regex(/^[\da-f]{32}$/)
    .meta({
      description: 'Of the logo: another logo has another address.',
      examples: ['9e107d9d372bb6826bd81d3542a419d6'],
    }),
});
