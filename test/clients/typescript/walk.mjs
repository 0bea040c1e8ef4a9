// What a program does with the packed client, in whichever Node or browser runs it: each service is asked, a contract is
// sent, found in a list and read again, and a refusal and a silence are told apart.

/** @param {typeof import('../../../clients/typescript/src/index.ts')} client */
export async function walk(client, url, key, largeBytes = 5 * 1024 * 1024) {
  const health = [];
  for (const name of ['Batch', 'Compact', 'Credentials', 'Documents', 'Hub', 'Pki', 'Session']) {
    const one = new client[name]({ url: `${url}/${name.toLowerCase()}` });
    health.push((await one.getHealth().then(Object.keys)).length > 0);
  }

  const documents = new client.Documents({ url: `${url}/documents`, key });
  const label = `walk-${crypto.randomUUID()}`;
  const contract = new File(['I owe you one real.'], 'contract.txt', { type: 'text/plain' });
  const large = new File([new Uint8Array(Number(largeBytes)).fill(32)], 'large.txt', { type: 'text/plain' });
  const ids = [];
  for (const file of [contract, large]) {
    const [created] = await documents.createDocuments({
      body: {
        files: [{ id: await documents.upload(file) }],
        tags: [{ value: label }],
        flowActions: [{ type: 'Signer', step: 1, user: { name: 'Ana Lima', identifier: '52998224725' } }],
      },
    });
    ids.push(created.documentId);
  }
  const listed = [];
  for await (const { id } of documents.all('listDocuments', { tags: label, limit: 1 })) listed.push(id);
  const sizes = [];
  for (const id of ids) {
    const answer = await documents.getContent({ id, type: 'Original' });
    sizes.push((await answer.arrayBuffer()).byteLength);
    await documents.deleteDocument({ id });
  }
  const [gone] = ids;
  const refusal = await documents.getDocument({ id: gone }).catch((error) => error);
  const nobody = new client.Documents({ url: 'http://localhost:1/documents', retries: 0 });
  const silence = await nobody.getHealth().catch((error) => error);
  return {
    health: health.every(Boolean),
    listed: listed.toSorted().join() === ids.toSorted().join(),
    sizes,
    refused: client.isRefused(refusal, 'DocumentNotFound') && typeof refusal.correlationId === 'string',
    silent: silence instanceof client.NoAnswer,
  };
}

/**
 * Calls every operation with its sample. Answers what became of each: done, or the code of the refusal.
 * @param {typeof import('../../../clients/typescript/src/index.ts')} client
 */
export async function callAll(client, url, calls) {
  const outcomes = [];
  const waiting = calls.values();
  const callSome = async () => {
    for (const call of waiting) outcomes.push([call.name, await outcomeOf(client, url, call)]);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, callSome));
  return outcomes;
}

// As many as a browser has connections to one address.
const AT_ONCE = 6;

async function outcomeOf(client, url, { service, operation, key, request, file }) {
  const one = new client[service]({ url: `${url}/${service.toLowerCase()}`, key, retries: 0 });
  const bytes = file && Uint8Array.from(atob(file.base64), (character) => character.charCodeAt(0));
  try {
    const answer = await one[operation](
      file ? { ...request, body: new Blob([bytes], { type: file.type }) } : request,
    );
    if (answer instanceof Response) await answer.arrayBuffer();
    return 'done';
  } catch (error) {
    return error instanceof client.Refused ? error.code : String(error);
  }
}
