import { html } from 'hono/html';
import type { Answer } from '../../../../../shared/http/response/answer.ts';
import { formatSize } from '../../../../../shared/ui/numbers.ts';
import type { Markup } from '../../../../../shared/ui/page.ts';
import { basePath } from '../../../auth/domain/return-path.ts';
import { formatCount, formatName } from '../../../config/page-format.ts';
import { errors } from '../../../errors.ts';
import { JOB_FORMATS } from '../../../jobs/domain/job/job.ts';
import { readUploadLimits, type UploadLimits } from '../../../jobs/domain/upload-limits.ts';
import { listProfiles, type Profile } from '../../../profiles/domain/profile.ts';
import { settings } from '../../../settings.ts';
import { dashboardPath } from '../../pages/frame.ts';
import { operatorPage } from '../../pages/operator-page.ts';
import { problemBox, selectField } from '../../pages/parts.ts';
import type { Section, Visit } from '../../visit.ts';
import { pageWords, wordsOfScript } from './upload-words.ts';

/** Files from the browser of an operator. The page calls the operations that other clients call. */
export const upload: Section = {
  pages: {
    upload: async (visit) => {
      const [limits, profiles] = await Promise.all([readUploadLimits(), listProfiles()]);
      const taking = profiles.filter(({ enabled, method }) => enabled && method !== 'SignerFolder');
      return uploadPage(visit, { limits, profiles: taking });
    },
  },
  forms: {},
};

type UploadView = {
  readonly limits: UploadLimits;
  /** Those that take files. */
  readonly profiles: readonly Profile[];
};

/** Where files are dropped or chosen. The script sends them, and shows what became of each. */
function uploadPage(visit: Visit, view: UploadView): Promise<Answer> {
  const words = pageWords(visit.language);
  const { limits, profiles } = view;
  const problem = !limits.isEnabled
    ? errors.text('upload.disabled', visit.language)
    : profiles.length === 0
      ? words.noProfile
      : undefined;
  const maxBytes = limits.storeOrigin ? limits.maxBytes : limits.maxFormBytes;
  return operatorPage(visit, {
    title: words.title,
    current: 'upload',
    connectsTo: limits.storeOrigin ? [limits.storeOrigin] : [],
    body: html`<h1>${words.title}</h1>
<p>${words.intro(formatSize(visit.language, maxBytes))}</p>
${problem === undefined ? uploadForm(visit, view) : problemBox(problem)}`,
  });
}

// Its fields have no `name`: a form without its script sends nothing.
function uploadForm({ language }: Visit, { limits, profiles }: UploadView): Markup {
  const words = pageWords(language);
  const { maxBytes, maxFormBytes, storeOrigin } = limits;
  const chosen = profiles.find((profile) => profile.default) ?? profiles[0];
  return html`<noscript><p class="note">${words.needsScript}</p></noscript>
<form class="form card" id="upload" data-api="${basePath()}/api" data-jobs="${dashboardPath('jobs')}"
data-max-bytes="${storeOrigin ? maxBytes : maxFormBytes}" data-max-form-bytes="${maxFormBytes}"
data-words="${JSON.stringify(wordsOfScript(language, limits))}">
<div class="row">
${selectField({
  id: 'profile',
  label: words.profile,
  value: chosen?.name ?? '',
  choices: profiles.map(({ name }) => ({ value: name, text: name })),
})}
${selectField({
  id: 'format',
  label: words.format,
  choices: [
    { value: '', text: words.byExtension },
    ...JOB_FORMATS.map((format) => ({ value: format, text: formatName(format) })),
  ],
})}
</div>
<div class="drop" id="drop">
<label class="button quiet" for="files">${words.choose}</label>
<input class="visually-hidden" id="files" type="file" multiple>
<p>${words.drop}</p>
</div>
<div class="note" id="many-files" role="status" data-more-than="${settings['RateLimiting:Upload:PermitLimit']}" hidden><p>${words.manyFiles(formatCount(language, settings['RateLimiting:Upload:PermitLimit']))}</p>
<p><a href="${dashboardPath('folders')}">${words.folders}</a></p></div>
<section aria-labelledby="uploads-title" id="uploads-part" hidden>
<h2 id="uploads-title">${words.files}</h2>
<p class="faint" id="uploads-progress" role="status"></p>
<ul class="uploads" id="uploads"></ul>
</section>
<div class="actions"><button class="button" id="send" disabled>${words.send}</button></div>
</form>`;
}
