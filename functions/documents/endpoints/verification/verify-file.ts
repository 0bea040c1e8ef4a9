import { multipartBody } from '../../../../shared/http/body/multipart.ts';
import { anyBody, oneOf } from '../../../../shared/http/body/reader.ts';
import { VERIFICATION_FORM, VerificationReport } from '../../contract/verification/verification.ts';
import { verifyFiles } from '../../domain/verification/verify-files.ts';
import { readVerificationBody } from '../../http/verification-body.ts';
import { documents } from '../../service.ts';
import { settings } from '../../settings.ts';

const form = multipartBody({
  maxFiles: () => 2,
  maxFileBytes: () => settings['Verification:MaxFileBytes'],
  schema: VERIFICATION_FORM,
});

export const handler = documents.endpoint(
  {
    route: 'POST /api/verification',
    can: 'documents.read',
    summary: 'Verify the signatures of a file',
    description:
      'Takes a form, or the bytes of one file as they are. Nothing of the file is kept. Where `Verification:Public` is set, no key is needed.',
    body: oneOf(form, { ...anyBody(), ceilingBytes: form.ceilingBytes }),
    answers: { 200: VerificationReport },
    refuses: ['UploadEmpty', 'FileNotVerifiable', 'SigningUnavailable'],
    access: { keyUnless: () => settings['Verification:Public'] },
    credentials: [['key'], []],
    rate: 'verification',
  },
  async ({ body }) => verifyFiles(await readVerificationBody(body), Date.now()),
);
