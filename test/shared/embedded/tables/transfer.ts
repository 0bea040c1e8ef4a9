// Run by two-processes.test.ts, twice at once on one folder: random transfers between accounts and increments of a
// version. Prints how many of them were answered as done.
import { openStores } from '../../../../shared/embedded/stores.ts';
import { ACCOUNTS, TableName } from './accounts.ts';

const [folder = '', name = '', count = '0', seed = '1'] = process.argv.slice(2);
const stores = openStores({ folder });
const key = (pk: string) => ({ TableName, Key: { pk: { S: pk } } });
const done = { transfers: 0, increments: 0, refused: 0 };

let state = Number(seed);
/** The next number of a linear congruential generator, below a limit. */
const random = (limit: number): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * limit);
};

/** Counts work that is done, or refused for its condition. Any other error ends the process. */
async function attempt(what: 'transfers' | 'increments', work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
    done[what] += 1;
  } catch (error) {
    if (!/TransactionCanceled|ConditionalCheckFailed/.test((error as Error).name)) throw error;
    done.refused += 1;
  }
}

const transfer = (n: number) => {
  const from = random(ACCOUNTS.length);
  const to = (from + 1 + random(ACCOUNTS.length - 1)) % ACCOUNTS.length;
  const amount = { N: String(1 + random(60)) };
  const ExpressionAttributeValues = { ':amount': amount };
  const Update = (account: number, sign: '+' | '-', condition: object) => ({
    Update: {
      ...key(String(ACCOUNTS[account])),
      UpdateExpression: `SET balance = balance ${sign} :amount`,
      ExpressionAttributeValues,
      ...condition,
    },
  });
  const receipt = {
    pk: { S: `RECEIPT#${name}#${n}` },
    from: { N: String(from) },
    to: { N: String(to) },
    amount,
  };
  return stores.tables.run('TransactWriteItems', {
    TransactItems: [
      Update(from, '-', { ConditionExpression: 'balance >= :amount' }),
      Update(to, '+', {}),
      { Put: { TableName, Item: receipt, ConditionExpression: 'attribute_not_exists(pk)' } },
      {
        Update: {
          ...key('TRANSFERS'),
          UpdateExpression: 'ADD n :one',
          ExpressionAttributeValues: { ':one': { N: '1' } },
        },
      },
    ],
  });
};

/** Reads the version, and writes the next one if nobody else did. */
const increment = async () => {
  const { Item } = (await stores.tables.run('GetItem', key('VERSION'))) as { Item: { n: { N: string } } };
  return stores.tables.run('UpdateItem', {
    ...key('VERSION'),
    UpdateExpression: 'SET n = n + :one',
    ConditionExpression: 'n = :read',
    ExpressionAttributeValues: { ':one': { N: '1' }, ':read': Item.n },
  });
};

for (let n = 0; n < Number(count); n++) {
  // Several at once, so that commits have several works.
  const works = Array.from({ length: 1 + random(4) }, (_, each) =>
    random(2) === 0 ? attempt('transfers', () => transfer(n * 10 + each)) : attempt('increments', increment),
  );
  await Promise.all(works);
}
stores.close();
console.log(JSON.stringify(done));
