import { html } from 'hono/html';
import { files } from '../../../../../shared/files/files.ts';
import { commonSettings } from '../../../../../shared/settings/common.ts';
import type { Markup } from '../../../../../shared/ui/page.ts';
import { settings } from '../../../settings.ts';
import { besidePath, consolePath } from '../../pages/frame.ts';
import type { Visit } from '../../visit.ts';
import { sendWords } from './words.ts';

/** How a page of the console sends a file. */
export type UploadWays = {
  readonly maxBytes: number;
  /** Larger ones do not fit into a form of this deployment. */
  readonly maxFormBytes: number;
  /** The origin of the store, where pages of this service may put larger files by links. */
  readonly storeOrigin: string | undefined;
};

// The head of the part, with a long name in the encoding of forms, and the boundaries.
const FORM_BYTES = 16_384;

export async function readUploadWays(): Promise<UploadWays> {
  const maxBytes = settings['Uploads:MaxBytes'];
  const origin = new URL(commonSettings['Http:PublicUrl']).origin;
  const hasConsent = (settings['Uploads:CorsOrigins'] ?? '').split(' ').includes(origin);
  return {
    maxBytes,
    maxFormBytes: Math.min(maxBytes, commonSettings['Http:MaxBodyBytes'] - FORM_BYTES),
    storeOrigin: hasConsent ? await originOfStore() : undefined,
  };
}

/** The origin that links lead to. A link is made here, without a call of the store, and nobody gets it. */
async function originOfStore(): Promise<string> {
  const link = { contentType: 'application/octet-stream', length: 1, maxBytes: 1, expiresSeconds: 1 };
  return new URL((await files('documents').uploadUrl('arriving/none', link)).url).origin;
}

/**
 * Where files are dropped or chosen. It is sent as it is without scripts; with them each file shows how far it is. `pages` is
 * the path above those of drafts.
 */
export function uploadForm(
  { language }: Visit,
  draftId: string,
  ways: UploadWays,
  pages = consolePath('send'),
): Markup {
  const words = sendWords(language);
  const { maxBytes, maxFormBytes, storeOrigin } = ways;
  return html`<form class="card stack" id="upload" method="post" enctype="multipart/form-data" action="${besidePath(`drafts/${draftId}/files`)}"
data-changes="${besidePath(`drafts/${draftId}/changes`)}" data-drafts="${besidePath('drafts')}" data-send="${pages}" data-max-bytes="${storeOrigin ? maxBytes : maxFormBytes}" data-max-form-bytes="${maxFormBytes}">
<div class="drop" id="drop">
<p><label class="button quiet" for="chosen">${words.choose}</label> <input class="visually-hidden" id="chosen" name="file" type="file" multiple> ${words.drop}</p>
<p class="upload-plain"><button class="button quiet">${words.upload}</button></p>
</div>
<ul class="uploads" id="uploads" aria-live="polite"></ul>
</form>`;
}
