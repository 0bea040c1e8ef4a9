import * as z from 'zod';
import { Problem } from '../../../../shared/errors/errors.ts';
import { pageForm, readForm } from '../../../../shared/http/body/page-form.ts';
import { FORM_AGAIN, PAGE, REDIRECT } from '../../../../shared/http/declaration.ts';
import { loginEndpoint } from '../login/login-endpoint.ts';
import { FORMS } from '../login/steps.ts';

// An address, or a certificate and a signature.
const MAX_FORM_BYTES = 16_384;

/** Every form of the log-in, and the log-out. */
export const handler = loginEndpoint(
  {
    route: 'POST /login/{step}',
    summary: 'A step of the log-in of members',
    params: z.object({ step: z.string() }),
    body: pageForm,
    maxBodyBytes: () => MAX_FORM_BYTES,
    answers: { 200: PAGE, 303: REDIRECT, ...FORM_AGAIN },
    rate: 'login',
  },
  async ({ params: { step }, cookies, query, path, body }, { language }) => {
    const submit = Object.hasOwn(FORMS, step) ? FORMS[step] : undefined;
    if (!submit) throw new Problem('noRoute', { method: 'POST', path });
    return submit({ language, cookies, query, nowMs: Date.now() }, await readForm(body));
  },
);
