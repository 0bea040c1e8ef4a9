import { randomBytes } from 'node:crypto';
import type * as z from 'zod';
import type { Caller } from '../../../../shared/access/caller.ts';
import type { Branding } from '../../../../shared/brand/branding.ts';
import { files } from '../../../../shared/files/files.ts';
import { imageTypeOf } from '../../../../shared/files/image-type.ts';
import { commonSettings } from '../../../../shared/settings/common.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import type { BrandingRequest } from '../../contract/organization/branding.ts';
import { errors } from '../../errors.ts';
import { taskMessage } from '../tasks.ts';
import { changeOrganization, type Organization } from './organization.ts';

/** The largest logo. */
export const LOGO_BYTES = 102_400;
// Pages and mail that are under way, and copies of the organization in other processes, still show the old one.
const REPLACED_LOGO_KEPT_MS = 86_400_000;

/** The logo of an organization, by a version that is a part of its address. */
export const logoKey = (organizationId: string, version: string): string =>
  `branding/${organizationId}/${version}`;

/** How an organization presents itself. The address of the logo is below the service's base path. */
export function brandingOf({ id, name, branding }: Organization): Branding {
  const { displayName = null, color = null, logoVersion = null } = branding ?? {};
  return {
    displayName: displayName ?? name,
    color,
    logoUrl: logoVersion === null ? null : logoKey(id, logoVersion),
  };
}

/** The same with an address for mail and for other sites. */
export function publicBrandingOf(organization: Organization): Branding {
  const { logoUrl, ...rest } = brandingOf(organization);
  return { ...rest, logoUrl: logoUrl && `${commonSettings['Http:PublicUrl']}/documents/${logoUrl}` };
}

/** Replaces the branding of an organization. The file of a new logo is there before anything names it. */
export async function updateBranding(
  caller: Pick<Caller, 'registered'>,
  organizationId: string,
  { displayName, color, logo }: z.output<typeof BrandingRequest>,
  nowMs: number,
): Promise<Branding> {
  const image = logo ? readLogo(logo) : undefined;
  return retryOnConflict(() =>
    changeOrganization(caller, organizationId, async ({ branding: before }) => {
      if (image) {
        const { version, bytes, contentType } = image;
        await files('documents').put(logoKey(organizationId, version), bytes, { contentType });
      }
      const kept = logo === undefined ? (before?.logoVersion ?? null) : null;
      const logoVersion = image?.version ?? kept;
      const old = before?.logoVersion ?? null;
      const also =
        old === null || old === logoVersion
          ? []
          : [
              taskMessage(
                { task: 'removeFiles', keys: [logoKey(organizationId, old)] },
                { dueAtMs: nowMs + REPLACED_LOGO_KEPT_MS },
              ),
            ];
      return { patch: { branding: { displayName, color, logoVersion } }, also };
    }),
  ).then(publicBrandingOf);
}

function readLogo(logo: string) {
  const bytes = Buffer.from(logo, 'base64');
  const refuse = (reason: string) =>
    errors.refuse('InvalidRequest', { field: 'logo', reason }, { status: 400 });
  if (bytes.length > LOGO_BYTES) throw refuse('is larger than 100 KB');
  const contentType = imageTypeOf(bytes);
  // An SVG can run scripts where it is opened by itself.
  if (contentType !== 'image/png' && contentType !== 'image/jpeg') throw refuse('is no PNG or JPEG');
  // Another one each time: a logo that is taken again must not go with the task that removes it.
  const version = randomBytes(16).toString('hex');
  return { bytes, contentType, version };
}
