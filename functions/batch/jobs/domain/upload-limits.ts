import { files } from '../../../../shared/files/files.ts';
import { commonSettings } from '../../../../shared/settings/common.ts';
import { settings } from '../../settings.ts';
import { PRESIGNED } from '../../storage-setting.ts';

export type UploadLimits = {
  readonly isEnabled: boolean;
  readonly maxBytes: number;
  /** Larger files do not fit into a form of this deployment. */
  readonly maxFormBytes: number;
  /** The origin of the store, where pages of this service may put larger files by links. */
  readonly storeOrigin: string | undefined;
};

// The head of the part, with a name of a thousand characters in the encoding of forms, and the boundaries.
const FORM_BYTES = 16_384;

/** What a page of this service can upload, and how. */
export async function readUploadLimits(): Promise<UploadLimits> {
  const maxBytes = settings['Upload:MaxBytes'];
  const maxFormBytes = Math.min(maxBytes, commonSettings['Http:MaxBodyBytes'] - FORM_BYTES);
  const origin = new URL(commonSettings['Http:PublicUrl']).origin;
  const hasConsent = (settings['Upload:CorsOrigins'] ?? '').split(' ').includes(origin);
  return {
    isEnabled: settings['Upload:Enabled'],
    maxBytes,
    maxFormBytes,
    storeOrigin: hasConsent ? await originOfStore() : undefined,
  };
}

/** The origin that links lead to. A link is made here, without a call of the store, and nobody gets it. */
async function originOfStore(): Promise<string> {
  const link = { contentType: 'application/octet-stream', length: 1, maxBytes: 1, expiresSeconds: 1 };
  const { url } = await files('batch').uploadUrl(`${PRESIGNED}/none`, link);
  return new URL(url).origin;
}
