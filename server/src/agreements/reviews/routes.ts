// The HTTP of access reviews, for owners and operators.
import { Type } from 'typebox';
import { createRoutes, partnerOnly } from '../../access/index.ts';
import type { HttpServer } from '../../base/http/server.ts';
import { requireStillAllowed } from '../../base/http/still-allowed.ts';
import { streamOf } from '../../base/http/text-stream.ts';
import type { Options } from '../options.ts';
import { createReviews, setPolicy } from './reviews.ts';
import * as wire from './schema.ts';
import { itemsOf, reviewRead, reviewsOf, selectPolicy, selectReview } from './store.ts';

const all = '/partners/:id/access-reviews';
const one = `${all}/:review_id` as const;

export function registerReviewPolicyRoutes(server: HttpServer, options: Options) {
  const routes = createRoutes(server, 'Access reviews');
  const { db, access } = options;
  const path = '/partners/:id/access-review-policy';

  routes.read(path, {
    operationId: 'getAccessReviewPolicy',
    summary: 'Get how often access is reviewed',
    description: 'For owners.',
    access: access.asOwner('access_review.get_policy', partnerOnly),
    answer: wire.ReviewPolicy,
    run: ({ granted }) => selectPolicy(db, granted.partnerId),
  });
  routes.change(path, {
    operationId: 'setAccessReviewPolicy',
    summary: 'Set how often access is reviewed',
    description:
      'The first review opens at once. `interval_days: null` turns reviews off, and closes the open one: nothing ends. Without `warning_days` it stays, at most half of the interval.',
    access: access.asOwner('access_review.set_policy', partnerOnly, { needsProof: true }),
    method: 'PUT',
    body: wire.SetReviewPolicy,
    answer: wire.ReviewPolicy,
    run: ({ granted, body, ifMatch }) => setPolicy(options, granted, body, ifMatch),
  });
}

export function registerReviewRoutes(server: HttpServer, options: Options) {
  const routes = createRoutes(server, 'Access reviews');
  const { db, access } = options;
  const reviews = createReviews(options);
  const mayGet = access.asOwner('access_review.get', reviewRead);

  routes.list(all, {
    operationId: 'listAccessReviews',
    summary: 'List the access reviews of a partner',
    description: 'The last 50, the newest first.',
    access: access.asOwner('access_review.list', partnerOnly),
    definition: wire.reviewList,
    item: wire.Review,
    newestFirst: true,
    run: ({ granted }) => reviewsOf(db, granted.partnerId),
  });
  routes.read(one, {
    operationId: 'getAccessReview',
    summary: 'Get an access review',
    description: 'With the number of agreements by decision.',
    access: mayGet,
    answer: wire.Review,
    run: ({ granted }) => selectReview(db, granted.row.review_id),
  });
  routes.list(`${one}/items`, {
    operationId: 'listAccessReviewItems',
    summary: 'List the agreements of an access review',
    description: 'As they were when the review opened, with what was decided.',
    access: mayGet,
    definition: wire.itemList,
    item: wire.ReviewItem,
    run: ({ granted, filter }) => itemsOf(db, granted.row.review_id, filter),
  });
  routes.plain('GET', `${one}/document`, {
    operationId: 'getAccessReviewDocument',
    summary: 'Download an access review as CSV',
    description:
      'One line for each agreement (RFC 4180). A cell that a spreadsheet could take for a formula begins with a quote.',
    access: mayGet,
    noStore: true,
    headers: ['Content-Disposition'],
    answer: Type.Unsafe<string>({
      description: 'The document',
      content: { 'text/csv': { schema: Type.String() } },
    }),
    run: ({ granted, request, reply }) =>
      reply
        .type('text/csv; charset=utf-8')
        .header(
          'content-disposition',
          `attachment; filename="access-review-${granted.row.opened_at.toISOString().slice(0, 10)}.csv"`,
        )
        .send(streamOf(reviews.document(granted, () => requireStillAllowed(request)))),
  });
}

export function registerReviewDecisionRoutes(server: HttpServer, options: Options) {
  const routes = createRoutes(server, 'Access reviews');
  const { access } = options;
  const reviews = createReviews(options);
  // By `create`: an item has no entity tag, so there is no If-Match to compare.
  const acting = {
    answer: wire.ReviewItem,
    status: 200,
    namesPerson: true,
    tagged: false,
    errors: [404, 409],
  };

  routes.create(`${one}/items/:agreement_id/confirm`, {
    ...acting,
    operationId: 'confirmReviewedAgreement',
    summary: 'Confirm an agreement',
    description:
      'It stays as it is. Another owner decides about your own agreement, if there is one. Confirming again changes nothing.',
    access: access.asOwner('access_review.confirm', reviewRead),
    run: ({ granted, params, key }) => reviews.confirm(granted, params.agreement_id, key),
  });
  routes.create(`${one}/items/:agreement_id/end`, {
    ...acting,
    operationId: 'endReviewedAgreement',
    summary: 'End an agreement',
    description: 'It ends now, and stays in the list of agreements as expired. The last owner stays.',
    access: access.asOwner('access_review.end', reviewRead),
    run: ({ granted, params, key }) => reviews.end(granted, params.agreement_id, key),
  });
  routes.create(`${one}/confirm`, {
    ...acting,
    operationId: 'confirmReviewedAgreements',
    summary: 'Confirm many agreements',
    description:
      'Up to 500. Those that are no longer pending, or that another owner decides about, stay as they are. The answer has each as it is now.',
    access: access.asOwner('access_review.confirm', reviewRead),
    body: wire.ConfirmMany,
    answer: Type.Array(wire.ReviewItem),
    run: ({ granted, body, key }) => reviews.confirmMany(granted, body.agreement_ids, key),
  });
}
