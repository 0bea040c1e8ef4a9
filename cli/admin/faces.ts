import {
  forgetFace,
  type ListedFace,
  listFaces,
} from '../../functions/pki/biometrics/domain/forget-subject.ts';
import { biometricProvider } from '../../functions/pki/biometrics/domain/providers/choose-provider.ts';
import {
  type BiometricProvider,
  ProviderFailure,
} from '../../functions/pki/biometrics/domain/providers/provider.ts';
import type { Subject } from '../../functions/pki/biometrics/domain/subjects.ts';
import { biometricsAt } from '../../infra/local/seed/local-settings.ts';
import { AdminRefusal, findApplication } from '../../shared/access/administration.ts';
import { commonSettings } from '../../shared/settings/common.ts';
import { isLocal } from '../../shared/settings/names.ts';

/** Lists the faces that the provider keeps for an application, with their subjects. */
export const showFaces = (application: string): Promise<string> =>
  withProvider(application, async (provider) => {
    const { faces, faceless } = await listFaces(provider, application);
    const lines = [...faces.map(faceLine), ...faceless.map(facelessLine)];
    return lines.length > 0 ? lines.join('\n') : `No face is kept for ${application}.`;
  });

const faceLine = ({ face, subjectId, subject }: ListedFace): string =>
  subject
    ? `${face}  ${subject.identifier}  subject ${subjectId}  enrolled ${subject.enrolledAt}`
    : `${face}  of no subject: an enrolment was interrupted. Delete it.`;

const facelessLine = ({ identifier, subjectId, face }: Subject): string =>
  `${face}  ${identifier}  subject ${subjectId}  gone at the provider. Delete it here too.`;

/** Deletes a face at the provider, and the subject that has it here. */
export const deleteFace = (application: string, start: string): Promise<string> =>
  withProvider(application, async (provider) => {
    const { faces, faceless } = await listFaces(provider, application);
    const all = [...faces, ...faceless];
    const [found, ...others] = start === '' ? [] : all.filter(({ face }) => face.startsWith(start));
    if (!found || others.length > 0)
      throw new AdminRefusal(`Name one face of ${application}, as faces list ${application} shows it.`);
    const subject = await forgetFace(provider, application, found);
    return `Deleted the face ${found.face} of ${subject?.identifier ?? 'nobody'} in ${application}.`;
  });

async function withProvider(
  application: string,
  work: (provider: BiometricProvider) => Promise<string>,
): Promise<string> {
  await findApplication('pki', application);
  // The sandbox judges faces on the local stage.
  if (isLocal())
    for (const [name, value] of Object.entries(biometricsAt(commonSettings['Http:PublicUrl'])))
      process.env[name] ??= value;
  try {
    return await work(await biometricProvider());
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    throw new AdminRefusal(
      `${error.message} The settings of the stage that begin with Biometrics must be set here.`,
    );
  }
}
