import { handler as changeEmission } from '../../../functions/credentials/emissions/endpoints/change-emission.ts';
import { handler as createEmission } from '../../../functions/credentials/emissions/endpoints/create-emission.ts';
import { handler as changeRegistration } from '../../../functions/credentials/registrations/endpoints/change-registration.ts';
import { emissionOf, signItem } from './emissions/registry-stage.ts';
import type { Operations } from './webhook-receivers.ts';
import type { ExpectedEvent } from './webhook-table.ts';

/** An emission that is sent to the registrar, and what both sides are told of it from then on. */
export async function sentEmission({ tenants, operate, changed, studies, expectEvents }: Operations) {
  const id = await operate(createEmission, studies());
  const emission = (status: string, data: object = {}, added: readonly string[] = []): ExpectedEvent => ({
    ...{ of: ['emission', id], added },
    data: {
      status,
      subscriptionId: tenants.issuer.organizationId,
      studentSocialName: 'Mara',
      reason: null,
      ...data,
    },
  });
  await expectEvents({ EmissionCreated: emission('Created') });
  await signItem({ kind: 'emission', id });
  await expectEvents({ EmissionSigned: emission('Signed') });
  const registrarInstituteId = tenants.registrar.institute.id;
  const description = 'Graduation of March';
  await changed(changeEmission, id, 'sentToRegistry', { registrarInstituteId, description });
  const requestId = String((await emissionOf(id)).data.registrationId);
  const request = (status: string, reasons: object = {}): ExpectedEvent => ({
    ...{ at: 'registrar', of: ['registration', requestId] },
    data: {
      ...{
        status,
        subscriptionId: tenants.registrar.organizationId,
        description,
        issuingIes: tenants.issuer.institute.name,
      },
      ...{ reason: null, cancellationReason: null, ...reasons },
    },
  });
  await expectEvents({
    EmissionSentToRegistry: emission('SentToRegistry'),
    RegistrationCreated: request('Created'),
  });
  const registration = (registrationStatus: string, why: string | null = null) => ({
    ...{ registrationStatus, registrationCancellationReason: why },
  });
  const act = (event: string, json: object = {}) => changed(changeRegistration, requestId, event, json);

  /** The registrar accepts, approves and registers it. Answers the id of the degree. */
  async function register(): Promise<string> {
    await act('accepted');
    await expectEvents({
      RegistrationAccepted: request('Accepted'),
      EmissionRegistrationAccepted: emission('SentToRegistry', registration('Accepted')),
    });
    await act('approved');
    await expectEvents({
      RegistrationApproved: request('Approved'),
      EmissionRegistrationApproved: emission('SentToRegistry', registration('Approved')),
    });
    await act('registered');
    const degreeId = String((await emissionOf(id)).data.degreeId);
    await expectEvents({
      RegistrationRegistered: request('Registered'),
      EmissionRegistered: emission('Registered', { degreeId }, ['degreeId']),
      EmissionRegistrationRegistered: emission('Registered', { degreeId, ...registration('Registered') }, [
        'degreeId',
      ]),
      DegreeCreated: { of: ['degree', degreeId], data: { status: 'Created' } },
    });
    return degreeId;
  }
  return { id, requestId, emission, request, registration, act, register };
}
