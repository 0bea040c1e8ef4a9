import { REDIRECT } from '../../../../shared/http/declaration.ts';
import { redirect } from '../../../../shared/http/response/answer.ts';
import { PlatformUnreachable } from '../../../../shared/platform/errors.ts';
import { errors } from '../../errors.ts';
import { sandbox } from '../../service.ts';
import { createSampleDocument } from '../domain/sample-document.ts';

/** A button of the home page: a document of its own for whoever wants to see the signing page. */
export const handler = sandbox.endpoint(
  {
    route: 'POST /sample-document',
    summary: 'Create a document to sign, and go to its page',
    answers: { 303: REDIRECT },
    access: 'public',
    undocumented: true,
  },
  async () => {
    try {
      return redirect(await createSampleDocument(Date.now), { status: 303 });
    } catch (error) {
      if (error instanceof PlatformUnreachable) throw errors.refuse('ServiceUnavailable');
      throw error;
    }
  },
);
