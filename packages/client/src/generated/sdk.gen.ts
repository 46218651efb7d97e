// Generated from openapi.json by `npm run generate`.
// @ts-nocheck

import { clientOf } from '../client-of.ts';
import { type Client, type ClientMeta, type Options as Options2, type RequestResult, type TDataShape, urlSearchParamsBodySerializer } from './client/index.ts';
import type { AcceptInvitationData, AcceptInvitationErrors, AcceptInvitationResponses, AddDomainData, AddDomainErrors, AddDomainResponses, AddPasskeyData, AddPasskeyErrors, AddPasskeyResponses, AnswerListenerRequestData, AnswerListenerRequestErrors, AnswerListenerRequestResponses, ApproveAccessRequestData, ApproveAccessRequestErrors, ApproveAccessRequestResponses, ApproveDeviceAuthorizationData, ApproveDeviceAuthorizationErrors, ApproveDeviceAuthorizationResponses, BanUserData, BanUserErrors, BanUserResponses, BeginDeviceAuthorizationData, BeginDeviceAuthorizationErrors, BeginDeviceAuthorizationResponses, BeginPasskeyData, BeginPasskeyErrors, BeginPasskeyResponses, BeginPasskeySignInData, BeginPasskeySignInErrors, BeginPasskeySignInResponses, BeginSecondFactorData, BeginSecondFactorErrors, BeginSecondFactorResponses, BreakGlassData, BreakGlassErrors, BreakGlassResponses, ChangeEmailData, ChangeEmailErrors, ChangeEmailResponses, ChangePasswordData, ChangePasswordErrors, ChangePasswordResponses, CheckEventTypeData, CheckEventTypeErrors, CheckEventTypeResponses, CheckFilterData, CheckFilterErrors, CheckFilterResponses, CheckPasswordResetData, CheckPasswordResetErrors, CheckPasswordResetResponses, CheckWebhookEndpointData, CheckWebhookEndpointErrors, CheckWebhookEndpointResponses, ChooseHeldDeliveriesData, ChooseHeldDeliveriesErrors, ChooseHeldDeliveriesResponses, CompleteProviderSignInData, CompleteProviderSignInErrors, CompleteProviderSignInResponses, ConfirmDeletionData, ConfirmDeletionErrors, ConfirmDeletionResponses, ConfirmReviewedAgreementData, ConfirmReviewedAgreementErrors, ConfirmReviewedAgreementResponses, ConfirmReviewedAgreementsData, ConfirmReviewedAgreementsErrors, ConfirmReviewedAgreementsResponses, CountDeliveriesData, CountDeliveriesErrors, CountDeliveriesResponses, CreateAccessRequestData, CreateAccessRequestErrors, CreateAccessRequestResponses, CreateAccessTokenData, CreateAccessTokenErrors, CreateAccessTokenResponses, CreateAclPermissionGroupData, CreateAclPermissionGroupErrors, CreateAclPermissionGroupResponses, CreateConnectionData, CreateConnectionErrors, CreateConnectionResponses, CreateListenerData, CreateListenerErrors, CreateListenerResponses, CreatePartnerAgreementData, CreatePartnerAgreementErrors, CreatePartnerAgreementResponses, CreatePartnerData, CreatePartnerErrors, CreatePartnerResponses, CreateProvisioningTokenData, CreateProvisioningTokenErrors, CreateProvisioningTokenResponses, CreateServiceAccountData, CreateServiceAccountErrors, CreateServiceAccountResponses, CreateServiceAccountTokenData, CreateServiceAccountTokenErrors, CreateServiceAccountTokenResponses, CreateWebhookEndpointData, CreateWebhookEndpointErrors, CreateWebhookEndpointResponses, DeclineInvitationData, DeclineInvitationErrors, DeclineInvitationResponses, DeleteAclPermissionGroupData, DeleteAclPermissionGroupErrors, DeleteAclPermissionGroupResponses, DeleteClientCertificateData, DeleteClientCertificateErrors, DeleteClientCertificateResponses, DeleteConnectionData, DeleteConnectionErrors, DeleteConnectionResponses, DeleteDomainData, DeleteDomainErrors, DeleteDomainResponses, DeleteOwnUserData, DeleteOwnUserErrors, DeleteOwnUserResponses, DeletePartnerAgreementData, DeletePartnerAgreementErrors, DeletePartnerAgreementResponses, DeletePartnerData, DeletePartnerErrors, DeletePartnerResponses, DeleteSandboxReceiverData, DeleteSandboxReceiverErrors, DeleteSandboxReceiverResponses, DeleteServiceAccountData, DeleteServiceAccountErrors, DeleteServiceAccountResponses, DeleteSigningSecretData, DeleteSigningSecretErrors, DeleteSigningSecretResponses, DeleteUserData, DeleteUserErrors, DeleteUserResponses, DeleteWebhookEndpointData, DeleteWebhookEndpointErrors, DeleteWebhookEndpointResponses, DenyAccessRequestData, DenyAccessRequestErrors, DenyAccessRequestResponses, DenyDeviceAuthorizationData, DenyDeviceAuthorizationErrors, DenyDeviceAuthorizationResponses, DisableConnectionData, DisableConnectionErrors, DisableConnectionResponses, DisableSecondFactorData, DisableSecondFactorErrors, DisableSecondFactorResponses, DownloadPackageData, DownloadPackageErrors, DownloadPackageResponses, EnableConnectionData, EnableConnectionErrors, EnableConnectionResponses, EndReviewedAgreementData, EndReviewedAgreementErrors, EndReviewedAgreementResponses, EndUserSessionData, EndUserSessionErrors, EndUserSessionResponses, EndUserSessionsData, EndUserSessionsErrors, EndUserSessionsResponses, EnrolSecondFactorData, EnrolSecondFactorErrors, EnrolSecondFactorResponses, EvaluateAccessData, EvaluateAccessErrors, EvaluateAccessesData, EvaluateAccessesErrors, EvaluateAccessesResponses, EvaluateAccessResponses, ExportEventTypesData, ExportEventTypesErrors, ExportEventTypesResponses, ExportPersonalDataData, ExportPersonalDataErrors, ExportPersonalDataResponses, FetchDeviceTokenData, FetchDeviceTokenErrors, FetchDeviceTokenResponses, FindSignInMethodsData, FindSignInMethodsErrors, FindSignInMethodsResponses, GenerateBackupCodesData, GenerateBackupCodesErrors, GenerateBackupCodesResponses, GetAccessRequestData, GetAccessRequestErrors, GetAccessRequestResponses, GetAccessReviewData, GetAccessReviewDocumentData, GetAccessReviewDocumentErrors, GetAccessReviewDocumentResponses, GetAccessReviewErrors, GetAccessReviewPolicyData, GetAccessReviewPolicyErrors, GetAccessReviewPolicyResponses, GetAccessReviewResponses, GetAclPermissionGroupData, GetAclPermissionGroupErrors, GetAclPermissionGroupResponses, GetAttemptData, GetAttemptErrors, GetAttemptResponses, GetAuditRecordData, GetAuditRecordErrors, GetAuditRecordResponses, GetAuthzenConfigurationData, GetAuthzenConfigurationErrors, GetAuthzenConfigurationResponses, GetBreakGlassData, GetBreakGlassErrors, GetBreakGlassResponses, GetCheckpointData, GetCheckpointErrors, GetCheckpointResponses, GetClientCertificateData, GetClientCertificateErrors, GetClientCertificateResponses, GetConnectionData, GetConnectionErrors, GetConnectionResponses, GetConsoleSettingsData, GetConsoleSettingsErrors, GetConsoleSettingsResponses, GetDefaultAclPermissionGroupData, GetDefaultAclPermissionGroupErrors, GetDefaultAclPermissionGroupResponses, GetDeliveryData, GetDeliveryErrors, GetDeliveryResponses, GetDeviceAuthorizationData, GetDeviceAuthorizationErrors, GetDeviceAuthorizationResponses, GetDomainData, GetDomainErrors, GetDomainResponses, GetEffectivePermissionsData, GetEffectivePermissionsErrors, GetEffectivePermissionsResponses, GetEventData, GetEventErrors, GetEventResponses, GetEventTypeData, GetEventTypeErrors, GetEventTypeResponses, GetHeldDeliveriesData, GetHeldDeliveriesErrors, GetHeldDeliveriesResponses, GetInvitationData, GetInvitationErrors, GetInvitationResponses, GetJwksData, GetJwksErrors, GetJwksResponses, GetLivenessData, GetLivenessErrors, GetLivenessResponses, GetMeData, GetMeErrors, GetMeResponses, GetMetricsData, GetMetricsErrors, GetMetricsResponses, GetPartnerAgreementData, GetPartnerAgreementErrors, GetPartnerAgreementResponses, GetPartnerData, GetPartnerErrors, GetPartnerResponses, GetPartnerStatsData, GetPartnerStatsErrors, GetPartnerStatsResponses, GetPlatformStatsData, GetPlatformStatsErrors, GetPlatformStatsResponses, GetPlatformStatusData, GetPlatformStatusErrors, GetPlatformStatusResponses, GetPlatformTrafficData, GetPlatformTrafficErrors, GetPlatformTrafficResponses, GetProvisionedGroupData, GetProvisionedGroupErrors, GetProvisionedGroupResponses, GetProvisioningData, GetProvisioningErrors, GetProvisioningResponses, GetReadinessData, GetReadinessErrors, GetReadinessResponses, GetRecordOfWholeAuditLogData, GetRecordOfWholeAuditLogErrors, GetRecordOfWholeAuditLogResponses, GetReplayData, GetReplayErrors, GetReplayResponses, GetSandboxJwksData, GetSandboxJwksErrors, GetSandboxJwksResponses, GetSandboxReceiverData, GetSandboxReceiverErrors, GetSandboxReceiverResponses, GetServiceAccountData, GetServiceAccountErrors, GetServiceAccountResponses, GetSignInPolicyData, GetSignInPolicyErrors, GetSignInPolicyResponses, GetTotpUriData, GetTotpUriErrors, GetTotpUriResponses, GetWebhookEndpointCheckData, GetWebhookEndpointCheckErrors, GetWebhookEndpointCheckResponses, GetWebhookEndpointData, GetWebhookEndpointErrors, GetWebhookEndpointResponses, GetWebhookEndpointStatsData, GetWebhookEndpointStatsErrors, GetWebhookEndpointStatsResponses, ImportEventTypesData, ImportEventTypesErrors, ImportEventTypesResponses, LinkConnectionData, LinkConnectionErrors, LinkConnectionResponses, LinkProviderData, LinkProviderErrors, LinkProviderResponses, ListAccessRequestsData, ListAccessRequestsErrors, ListAccessRequestsResponses, ListAccessReviewItemsData, ListAccessReviewItemsErrors, ListAccessReviewItemsResponses, ListAccessReviewsData, ListAccessReviewsErrors, ListAccessReviewsResponses, ListAccessTokensData, ListAccessTokensErrors, ListAccessTokensResponses, ListAclPermissionGroupsData, ListAclPermissionGroupsErrors, ListAclPermissionGroupsResponses, ListAclResourcesData, ListAclResourcesErrors, ListAclResourcesResponses, ListAuditLogData, ListAuditLogErrors, ListAuditLogResponses, ListCheckpointDeliveriesData, ListCheckpointDeliveriesErrors, ListCheckpointDeliveriesResponses, ListCheckpointsData, ListCheckpointsErrors, ListCheckpointsResponses, ListConnectionsData, ListConnectionsErrors, ListConnectionsResponses, ListDeletedPartnersData, ListDeletedPartnersErrors, ListDeletedPartnersResponses, ListDeliveriesData, ListDeliveriesErrors, ListDeliveriesResponses, ListDomainsData, ListDomainsErrors, ListDomainsResponses, ListEventsData, ListEventsErrors, ListEventsResponses, ListEventTypesData, ListEventTypesErrors, ListEventTypesResponses, ListFailingEndpointsData, ListFailingEndpointsErrors, ListFailingEndpointsResponses, ListGrantorsData, ListGrantorsErrors, ListGrantorsResponses, ListLinkedAccountsData, ListLinkedAccountsErrors, ListLinkedAccountsResponses, ListOwnAgreementsData, ListOwnAgreementsErrors, ListOwnAgreementsResponses, ListPackagesData, ListPackagesErrors, ListPackagesResponses, ListPartnerAgreementsData, ListPartnerAgreementsErrors, ListPartnerAgreementsResponses, ListPartnersData, ListPartnersErrors, ListPartnersResponses, ListPasskeysData, ListPasskeysErrors, ListPasskeysResponses, ListProvisionedGroupsData, ListProvisionedGroupsErrors, ListProvisionedGroupsResponses, ListReplaysData, ListReplaysErrors, ListReplaysResponses, ListSandboxReceiverRequestsData, ListSandboxReceiverRequestsErrors, ListSandboxReceiverRequestsResponses, ListServiceAccountsData, ListServiceAccountsErrors, ListServiceAccountsResponses, ListServiceAccountTokensData, ListServiceAccountTokensErrors, ListServiceAccountTokensResponses, ListSessionsData, ListSessionsErrors, ListSessionsResponses, ListSigningKeysData, ListSigningKeysErrors, ListSigningKeysResponses, ListUsersData, ListUsersErrors, ListUserSessionsData, ListUserSessionsErrors, ListUserSessionsResponses, ListUsersResponses, ListWebhookEndpointsData, ListWebhookEndpointsErrors, ListWebhookEndpointsResponses, ListWebhookEndpointStatsData, ListWebhookEndpointStatsErrors, ListWebhookEndpointStatsResponses, ListWholeAuditLogData, ListWholeAuditLogErrors, ListWholeAuditLogResponses, LogOutByConnectionData, LogOutByConnectionErrors, LogOutByConnectionResponses, MakeClientCertificateData, MakeClientCertificateErrors, MakeClientCertificateResponses, MapProvisionedGroupData, MapProvisionedGroupErrors, MapProvisionedGroupResponses, PauseWebhookEndpointData, PauseWebhookEndpointErrors, PauseWebhookEndpointResponses, PreviewAclPermissionGroupData, PreviewAclPermissionGroupErrors, PreviewAclPermissionGroupResponses, ProveSignInData, ProveSignInErrors, ProveSignInResponses, PublishEventData, PublishEventErrors, PublishEventResponses, PublishEventsData, PublishEventsErrors, PublishEventsResponses, PutClientCertificateData, PutClientCertificateErrors, PutClientCertificateResponses, PutEventTypeData, PutEventTypeErrors, PutEventTypeResponses, PutSandboxReceiverData, PutSandboxReceiverErrors, PutSandboxReceiverResponses, RemovePasskeyData, RemovePasskeyErrors, RemovePasskeyResponses, RemoveUserSecondFactorData, RemoveUserSecondFactorErrors, RemoveUserSecondFactorResponses, RenamePasskeyData, RenamePasskeyErrors, RenamePasskeyResponses, ReplayDeliveryData, ReplayDeliveryErrors, ReplayDeliveryResponses, RequestPasswordResetData, RequestPasswordResetErrors, RequestPasswordResetResponses, ResendInvitationData, ResendInvitationErrors, ResendInvitationResponses, ResetPasswordData, ResetPasswordErrors, ResetPasswordResponses, RestorePartnerData, RestorePartnerErrors, RestorePartnerResponses, ResumeWebhookEndpointData, ResumeWebhookEndpointErrors, ResumeWebhookEndpointResponses, ReturnFromConnectionData, ReturnFromConnectionErrors, ReturnFromConnectionResponses, ReturnFromProviderData, ReturnFromProviderErrors, ReturnFromProviderResponses, RevokeAccessRequestData, RevokeAccessRequestErrors, RevokeAccessRequestResponses, RevokeAccessTokenData, RevokeAccessTokenErrors, RevokeAccessTokenResponses, RevokeOtherSessionsData, RevokeOtherSessionsErrors, RevokeOtherSessionsResponses, RevokeOwnTokenData, RevokeOwnTokenErrors, RevokeOwnTokenResponses, RevokeProvisioningTokenData, RevokeProvisioningTokenErrors, RevokeProvisioningTokenResponses, RevokeServiceAccountTokenData, RevokeServiceAccountTokenErrors, RevokeServiceAccountTokenResponses, RevokeSessionData, RevokeSessionErrors, RevokeSessionResponses, RevokeSigningKeyData, RevokeSigningKeyErrors, RevokeSigningKeyResponses, RotateSigningKeyData, RotateSigningKeyErrors, RotateSigningKeyResponses, RotateSigningSecretData, RotateSigningSecretErrors, RotateSigningSecretResponses, SearchData, SearchErrors, SearchResponses, SendDeliveryNowData, SendDeliveryNowErrors, SendDeliveryNowResponses, SendVerificationEmailData, SendVerificationEmailErrors, SendVerificationEmailResponses, SetAccessReviewPolicyData, SetAccessReviewPolicyErrors, SetAccessReviewPolicyResponses, SetDefaultAclPermissionGroupData, SetDefaultAclPermissionGroupErrors, SetDefaultAclPermissionGroupResponses, SetSignInPolicyData, SetSignInPolicyErrors, SetSignInPolicyResponses, SetUpData, SetUpErrors, SetUpResponses, SetUserRoleData, SetUserRoleErrors, SetUserRoleResponses, SignInData, SignInErrors, SignInResponses, SignInWithConnectionData, SignInWithConnectionErrors, SignInWithConnectionResponses, SignInWithPasskeyData, SignInWithPasskeyErrors, SignInWithPasskeyResponses, SignInWithProviderData, SignInWithProviderErrors, SignInWithProviderResponses, SignOutData, SignOutErrors, SignOutResponses, SignUpData, SignUpErrors, SignUpResponses, StartReplayData, StartReplayErrors, StartReplayResponses, StartSendNowData, StartSendNowErrors, StartSendNowResponses, StepUpData, StepUpErrors, StepUpResponses, StopReplayData, StopReplayErrors, StopReplayResponses, TestConnectionData, TestConnectionErrors, TestConnectionResponses, TestWebhookEndpointData, TestWebhookEndpointErrors, TestWebhookEndpointResponses, UnbanUserData, UnbanUserErrors, UnbanUserResponses, UnlinkAccountData, UnlinkAccountErrors, UnlinkAccountResponses, UpdateAclPermissionGroupData, UpdateAclPermissionGroupErrors, UpdateAclPermissionGroupResponses, UpdateConnectionData, UpdateConnectionErrors, UpdateConnectionResponses, UpdateMeData, UpdateMeErrors, UpdateMeResponses, UpdatePartnerAgreementData, UpdatePartnerAgreementErrors, UpdatePartnerAgreementResponses, UpdatePartnerData, UpdatePartnerErrors, UpdatePartnerResponses, UpdateWebhookEndpointData, UpdateWebhookEndpointErrors, UpdateWebhookEndpointResponses, VerifyBackupCodeData, VerifyBackupCodeErrors, VerifyBackupCodeResponses, VerifyCapturedWebhookData, VerifyCapturedWebhookErrors, VerifyCapturedWebhookResponses, VerifyDomainData, VerifyDomainErrors, VerifyDomainResponses, VerifyEmailData, VerifyEmailErrors, VerifyEmailResponses, VerifyPasskeyData, VerifyPasskeyErrors, VerifyPasskeyResponses, VerifyTotpData, VerifyTotpErrors, VerifyTotpResponses, WaiveWebhookEndpointCheckData, WaiveWebhookEndpointCheckErrors, WaiveWebhookEndpointCheckResponses, WithdrawAccessRequestData, WithdrawAccessRequestErrors, WithdrawAccessRequestResponses } from './types.gen.ts';

export type Options<TData extends TDataShape = TDataShape, ThrowOnError extends boolean = boolean, TResponse = unknown> = Options2<TData, ThrowOnError, TResponse> & {
    /**
     * You can provide a client instance returned by `createClient()` instead of
     * individual options. This might be also useful if you want to implement a
     * custom client.
     */
    client: Client;
    /**
     * You can pass arbitrary values through the `meta` object. This can be
     * used to access values that aren't defined as part of the SDK function.
     */
    meta?: keyof ClientMeta extends never ? Record<string, unknown> : ClientMeta;
};

/**
 * Sign up
 *
 * Sends a mail with a link. POST /api/auth/verify-email creates the account with its token and this password. The answer is the same for every address. With the token of an invitation, the account is created at once: the token proves the address.
 */
export const signUp = <ThrowOnError extends boolean = true>(options: Options<SignUpData, ThrowOnError>): RequestResult<SignUpResponses, SignUpErrors, ThrowOnError, 'data'> => clientOf(options).post<SignUpResponses, SignUpErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    url: '/api/auth/sign-up/email',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Send the verification mail again
 *
 * The answer is the same for every address.
 */
export const sendVerificationEmail = <ThrowOnError extends boolean = true>(options: Options<SendVerificationEmailData, ThrowOnError>): RequestResult<SendVerificationEmailResponses, SendVerificationEmailErrors, ThrowOnError, 'data'> => clientOf(options).post<SendVerificationEmailResponses, SendVerificationEmailErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    url: '/api/auth/send-verification-email',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Sign in with a password
 *
 * Answers with a session token, or with a `twoFactorToken` if the user has a second factor.
 */
export const signIn = <ThrowOnError extends boolean = true>(options: Options<SignInData, ThrowOnError>): RequestResult<SignInResponses, SignInErrors, ThrowOnError, 'data'> => clientOf(options).post<SignInResponses, SignInErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    url: '/api/auth/sign-in/email',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Set up the first operator
 *
 * Sets the password of the first operator with the token of the link that the start printed, and answers like a sign-in. It works once, and never after an operator has signed in.
 */
export const setUp = <ThrowOnError extends boolean = true>(options: Options<SetUpData, ThrowOnError>): RequestResult<SetUpResponses, SetUpErrors, ThrowOnError, 'data'> => clientOf(options).post<SetUpResponses, SetUpErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    url: '/api/auth/set-up',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Verify an address with the token from a mail
 *
 * Completes a sign-up with its password, or a change of the address with the password of the account. Ten wrong passwords end the token. The session that asked for the new address needs no password.
 */
export const verifyEmail = <ThrowOnError extends boolean = true>(options: Options<VerifyEmailData, ThrowOnError>): RequestResult<VerifyEmailResponses, VerifyEmailErrors, ThrowOnError, 'data'> => clientOf(options).post<VerifyEmailResponses, VerifyEmailErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/auth/verify-email',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Request a mail with a token that sets a new password
 *
 * The answer is the same for every address.
 */
export const requestPasswordReset = <ThrowOnError extends boolean = true>(options: Options<RequestPasswordResetData, ThrowOnError>): RequestResult<RequestPasswordResetResponses, RequestPasswordResetErrors, ThrowOnError, 'data'> => clientOf(options).post<RequestPasswordResetResponses, RequestPasswordResetErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    url: '/api/auth/request-password-reset',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Set a new password with the token from a mail
 *
 * Also verifies the address. Ends every session and every access token of the user. If the address was not verified before, this also unlinks accounts of providers.
 */
export const resetPassword = <ThrowOnError extends boolean = true>(options: Options<ResetPasswordData, ThrowOnError>): RequestResult<ResetPasswordResponses, ResetPasswordErrors, ThrowOnError, 'data'> => clientOf(options).post<ResetPasswordResponses, ResetPasswordErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    url: '/api/auth/reset-password',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Check the token from a mail that sets a new password
 *
 * Changes nothing: a page can say that its link is dead before somebody types a password.
 */
export const checkPasswordReset = <ThrowOnError extends boolean = true>(options: Options<CheckPasswordResetData, ThrowOnError>): RequestResult<CheckPasswordResetResponses, CheckPasswordResetErrors, ThrowOnError, 'data'> => clientOf(options).post<CheckPasswordResetResponses, CheckPasswordResetErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    url: '/api/auth/reset-password/check',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Delete your user with the token from a mail
 *
 * Deletes the agreements, sessions and access tokens of the user too, and pending invitations to the address. The audit log keeps what the user did, under the id of the user, without names and addresses. Logs of the process, files of mails and backups are not touched.
 */
export const confirmDeletion = <ThrowOnError extends boolean = true>(options: Options<ConfirmDeletionData, ThrowOnError>): RequestResult<ConfirmDeletionResponses, ConfirmDeletionErrors, ThrowOnError, 'data'> => clientOf(options).post<ConfirmDeletionResponses, ConfirmDeletionErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    url: '/api/auth/delete-user/confirm',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Start a sign-in with a provider
 *
 * Answers with the URL to which the client redirects the browser.
 */
export const signInWithProvider = <ThrowOnError extends boolean = true>(options: Options<SignInWithProviderData, ThrowOnError>): RequestResult<SignInWithProviderResponses, SignInWithProviderErrors, ThrowOnError, 'data'> => clientOf(options).post<SignInWithProviderResponses, SignInWithProviderErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    url: '/api/auth/sign-in/social',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Start to link an account of a provider
 *
 * Answers with the URL to which the client redirects the browser. Both accounts must have the same verified address. Requires a session, not an access token.
 */
export const linkProvider = <ThrowOnError extends boolean = true>(options: Options<LinkProviderData, ThrowOnError>): RequestResult<LinkProviderResponses, LinkProviderErrors, ThrowOnError, 'data'> => clientOf(options).post<LinkProviderResponses, LinkProviderErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/auth/link-social',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Unlink an account of a provider
 *
 * The provider no longer signs you in. Your sessions stay. The last way to sign in cannot be removed. Requires a session, not an access token.
 */
export const unlinkAccount = <ThrowOnError extends boolean = true>(options: Options<UnlinkAccountData, ThrowOnError>): RequestResult<UnlinkAccountResponses, UnlinkAccountErrors, ThrowOnError, 'data'> => clientOf(options).post<UnlinkAccountResponses, UnlinkAccountErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/auth/unlink-account',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Complete a sign-in or a link with a provider
 *
 * The provider redirects the browser here. Answers with a session token, with a `twoFactorToken` if the user has a second factor, or with `linked`. If the console asked, it redirects the browser to a page of the console.
 */
export const returnFromProvider = <ThrowOnError extends boolean = true>(options: Options<ReturnFromProviderData, ThrowOnError>): RequestResult<ReturnFromProviderResponses, ReturnFromProviderErrors, ThrowOnError, 'data'> => clientOf(options).get<ReturnFromProviderResponses, ReturnFromProviderErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    url: '/api/auth/callback/{provider}',
    ...options
});

/**
 * Complete a sign-in with a provider that the console began
 *
 * Takes the code that the page of the console got in its fragment. It works once, for a minute, and only below `/console/api` in the browser that began. Answers like a sign-in.
 */
export const completeProviderSignIn = <ThrowOnError extends boolean = true>(options: Options<CompleteProviderSignInData, ThrowOnError>): RequestResult<CompleteProviderSignInResponses, CompleteProviderSignInErrors, ThrowOnError, 'data'> => clientOf(options).post<CompleteProviderSignInResponses, CompleteProviderSignInErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    url: '/api/auth/sign-in/provider-code',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Sign out: end this session
 *
 * The token stops working at once. Other sessions and access tokens keep working. Requires a session, not an access token.
 */
export const signOut = <ThrowOnError extends boolean = true>(options: Options<SignOutData, ThrowOnError>): RequestResult<SignOutResponses, SignOutErrors, ThrowOnError, 'data'> => clientOf(options).post<SignOutResponses, SignOutErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/auth/sign-out',
    ...options
});

/**
 * List the ways in which you can sign in
 *
 * The password (`credential`) and the linked accounts of providers.
 */
export const listLinkedAccounts = <ThrowOnError extends boolean = true>(options: Options<ListLinkedAccountsData, ThrowOnError>): RequestResult<ListLinkedAccountsResponses, ListLinkedAccountsErrors, ThrowOnError, 'data'> => clientOf(options).get<ListLinkedAccountsResponses, ListLinkedAccountsErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/auth/list-accounts',
    ...options
});

/**
 * List your sessions
 *
 * Every session of yours that has not ended yet. Requires a session, not an access token.
 */
export const listSessions = <ThrowOnError extends boolean = true>(options: Options<ListSessionsData, ThrowOnError>): RequestResult<ListSessionsResponses, ListSessionsErrors, ThrowOnError, 'data'> => clientOf(options).get<ListSessionsResponses, ListSessionsErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/auth/list-sessions',
    ...options
});

/**
 * End one of your sessions
 *
 * The token of that session stops working at once. Requires a session, not an access token.
 */
export const revokeSession = <ThrowOnError extends boolean = true>(options: Options<RevokeSessionData, ThrowOnError>): RequestResult<RevokeSessionResponses, RevokeSessionErrors, ThrowOnError, 'data'> => clientOf(options).post<RevokeSessionResponses, RevokeSessionErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/auth/revoke-session',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * End all your other sessions
 *
 * Their tokens stop working at once. The session of this request and all access tokens keep working. Requires a session, not an access token.
 */
export const revokeOtherSessions = <ThrowOnError extends boolean = true>(options: Options<RevokeOtherSessionsData, ThrowOnError>): RequestResult<RevokeOtherSessionsResponses, RevokeOtherSessionsErrors, ThrowOnError, 'data'> => clientOf(options).post<RevokeOtherSessionsResponses, RevokeOtherSessionsErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/auth/revoke-other-sessions',
    ...options
});

/**
 * Change your password
 *
 * Ends your other sessions and your access tokens, unless `revokeOtherSessions` is false. Requires a session, not an access token.
 */
export const changePassword = <ThrowOnError extends boolean = true>(options: Options<ChangePasswordData, ThrowOnError>): RequestResult<ChangePasswordResponses, ChangePasswordErrors, ThrowOnError, 'data'> => clientOf(options).post<ChangePasswordResponses, ChangePasswordErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/auth/change-password',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Change your e-mail address
 *
 * A mail to the new address has a link; POST /api/auth/verify-email completes the change with its token. A mail to the old address tells about the request. The answer is the same if the new address already has an account. Requires a session, not an access token.
 */
export const changeEmail = <ThrowOnError extends boolean = true>(options: Options<ChangeEmailData, ThrowOnError>): RequestResult<ChangeEmailResponses, ChangeEmailErrors, ThrowOnError, 'data'> => clientOf(options).post<ChangeEmailResponses, ChangeEmailErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/auth/change-email',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Delete your user
 *
 * Deletes the agreements, sessions and access tokens of the user too, and pending invitations to the address. The audit log keeps what the user did, under the id of the user, without names and addresses. Logs of the process, files of mails and backups are not touched. Without `password` a mail with a link asks you to confirm it; POST /api/auth/delete-user/confirm deletes your user with its token. Requires a session, not an access token.
 */
export const deleteOwnUser = <ThrowOnError extends boolean = true>(options: Options<DeleteOwnUserData, ThrowOnError>): RequestResult<DeleteOwnUserResponses, DeleteOwnUserErrors, ThrowOnError, 'data'> => clientOf(options).post<DeleteOwnUserResponses, DeleteOwnUserErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/auth/delete-user',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Prove again that it is you
 *
 * For ten minutes this session may then make the changes that answer 403 `step_up_required` without it. Send the password, with a code or a passkey if you have a second factor. A passkey that verifies its user is enough alone. A sign-in counts as a proof too. Requires a session, not an access token.
 */
export const stepUp = <ThrowOnError extends boolean = true>(options: Options<StepUpData, ThrowOnError>): RequestResult<StepUpResponses, StepUpErrors, ThrowOnError, 'data'> => clientOf(options).post<StepUpResponses, StepUpErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/auth/step-up',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Verify a code of the second factor
 *
 * Completes a sign-in with `twoFactorToken`. With a session token it steps the session up; the first code enables the second factor.
 */
export const verifyTotp = <ThrowOnError extends boolean = true>(options: Options<VerifyTotpData, ThrowOnError>): RequestResult<VerifyTotpResponses, VerifyTotpErrors, ThrowOnError, 'data'> => clientOf(options).post<VerifyTotpResponses, VerifyTotpErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/auth/two-factor/verify-totp',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Verify a backup code
 *
 * Completes a sign-in with `twoFactorToken`, or steps a session up. Each backup code works once.
 */
export const verifyBackupCode = <ThrowOnError extends boolean = true>(options: Options<VerifyBackupCodeData, ThrowOnError>): RequestResult<VerifyBackupCodeResponses, VerifyBackupCodeErrors, ThrowOnError, 'data'> => clientOf(options).post<VerifyBackupCodeResponses, VerifyBackupCodeErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/auth/two-factor/verify-backup-code',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Start to enable the second factor
 *
 * Answers with a TOTP secret and backup codes, which replace the previous ones. The first verified code enables the second factor, or adds the app to your passkeys. Requires a session, not an access token.
 */
export const enrolSecondFactor = <ThrowOnError extends boolean = true>(options: Options<EnrolSecondFactorData, ThrowOnError>): RequestResult<EnrolSecondFactorResponses, EnrolSecondFactorErrors, ThrowOnError, 'data'> => clientOf(options).post<EnrolSecondFactorResponses, EnrolSecondFactorErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/auth/two-factor/enable',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Show the TOTP secret again
 *
 * Requires the password. Use it to set up the same secret in another authenticator app. Requires a session, not an access token.
 */
export const getTotpUri = <ThrowOnError extends boolean = true>(options: Options<GetTotpUriData, ThrowOnError>): RequestResult<GetTotpUriResponses, GetTotpUriErrors, ThrowOnError, 'data'> => clientOf(options).post<GetTotpUriResponses, GetTotpUriErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/auth/two-factor/get-totp-uri',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Disable the second factor
 *
 * Also removes your passkeys. Answers with a session token that replaces the one you sent. Requires a session, not an access token.
 */
export const disableSecondFactor = <ThrowOnError extends boolean = true>(options: Options<DisableSecondFactorData, ThrowOnError>): RequestResult<DisableSecondFactorResponses, DisableSecondFactorErrors, ThrowOnError, 'data'> => clientOf(options).post<DisableSecondFactorResponses, DisableSecondFactorErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/auth/two-factor/disable',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Generate new backup codes
 *
 * The previous codes stop working.
 */
export const generateBackupCodes = <ThrowOnError extends boolean = true>(options: Options<GenerateBackupCodesData, ThrowOnError>): RequestResult<GenerateBackupCodesResponses, GenerateBackupCodesErrors, ThrowOnError, 'data'> => clientOf(options).post<GenerateBackupCodesResponses, GenerateBackupCodesErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/auth/two-factor/generate-backup-codes',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List your passkeys
 *
 * The oldest first. Requires a session, not an access token.
 */
export const listPasskeys = <ThrowOnError extends boolean = true>(options: Options<ListPasskeysData, ThrowOnError>): RequestResult<ListPasskeysResponses, ListPasskeysErrors, ThrowOnError, 'data'> => clientOf(options).get<ListPasskeysResponses, ListPasskeysErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/auth/passkeys',
    ...options
});

/**
 * Add a passkey
 *
 * Your first second factor enables it: the answer has backup codes, and a session token that replaces the one you sent. A user can have 20 passkeys. Requires a session, not an access token.
 */
export const addPasskey = <ThrowOnError extends boolean = true>(options: Options<AddPasskeyData, ThrowOnError>): RequestResult<AddPasskeyResponses, AddPasskeyErrors, ThrowOnError, 'data'> => clientOf(options).post<AddPasskeyResponses, AddPasskeyErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/auth/passkeys',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Start to add a passkey
 *
 * Answers with what the browser needs to make one: `navigator.credentials.create()`. Requires a session, not an access token.
 */
export const beginPasskey = <ThrowOnError extends boolean = true>(options: Options<BeginPasskeyData, ThrowOnError>): RequestResult<BeginPasskeyResponses, BeginPasskeyErrors, ThrowOnError, 'data'> => clientOf(options).post<BeginPasskeyResponses, BeginPasskeyErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/auth/passkeys/options',
    ...options
});

/**
 * Remove a passkey
 *
 * It proves nothing from the next request on. Without another passkey and without an authenticator app, your second factor is disabled. Requires a session, not an access token.
 */
export const removePasskey = <ThrowOnError extends boolean = true>(options: Options<RemovePasskeyData, ThrowOnError>): RequestResult<RemovePasskeyResponses, RemovePasskeyErrors, ThrowOnError, 'data'> => clientOf(options).delete<RemovePasskeyResponses, RemovePasskeyErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/auth/passkeys/{id}',
    ...options
});

/**
 * Rename a passkey
 *
 * Changes the name, which is for you alone. Requires a session, not an access token.
 */
export const renamePasskey = <ThrowOnError extends boolean = true>(options: Options<RenamePasskeyData, ThrowOnError>): RequestResult<RenamePasskeyResponses, RenamePasskeyErrors, ThrowOnError, 'data'> => clientOf(options).patch<RenamePasskeyResponses, RenamePasskeyErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/auth/passkeys/{id}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Start a sign-in with a passkey
 *
 * Answers with what the browser needs: `navigator.credentials.get()`. The answer names no account.
 */
export const beginPasskeySignIn = <ThrowOnError extends boolean = true>(options: Options<BeginPasskeySignInData, ThrowOnError>): RequestResult<BeginPasskeySignInResponses, BeginPasskeySignInErrors, ThrowOnError, 'data'> => clientOf(options).post<BeginPasskeySignInResponses, BeginPasskeySignInErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    url: '/api/auth/passkey/sign-in/options',
    ...options
});

/**
 * Sign in with a passkey
 *
 * The authenticator must verify its user, so the session carries the proof of a second factor.
 */
export const signInWithPasskey = <ThrowOnError extends boolean = true>(options: Options<SignInWithPasskeyData, ThrowOnError>): RequestResult<SignInWithPasskeyResponses, SignInWithPasskeyErrors, ThrowOnError, 'data'> => clientOf(options).post<SignInWithPasskeyResponses, SignInWithPasskeyErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    url: '/api/auth/passkey/sign-in',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Show how the second factor can be proven
 *
 * For a sign-in with `twoFactorToken`, or for the session of the request. A passkey then completes the sign-in, or goes to POST /api/auth/step-up. Backup codes always work.
 */
export const beginSecondFactor = <ThrowOnError extends boolean = true>(options: Options<BeginSecondFactorData, ThrowOnError>): RequestResult<BeginSecondFactorResponses, BeginSecondFactorErrors, ThrowOnError, 'data'> => clientOf(options).post<BeginSecondFactorResponses, BeginSecondFactorErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/auth/two-factor/options',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Complete a sign-in with a passkey
 *
 * The passkey is the second factor of the sign-in that `twoFactorToken` names.
 */
export const verifyPasskey = <ThrowOnError extends boolean = true>(options: Options<VerifyPasskeyData, ThrowOnError>): RequestResult<VerifyPasskeyResponses, VerifyPasskeyErrors, ThrowOnError, 'data'> => clientOf(options).post<VerifyPasskeyResponses, VerifyPasskeyErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    url: '/api/auth/two-factor/verify-passkey',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Get your user and your credential
 *
 * An access token needs no scope for it.
 */
export const getMe = <ThrowOnError extends boolean = true>(options: Options<GetMeData, ThrowOnError>): RequestResult<GetMeResponses, GetMeErrors, ThrowOnError, 'data'> => clientOf(options).get<GetMeResponses, GetMeErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/me',
    ...options
});

/**
 * Change your name
 *
 * POST /api/auth/change-email changes your address, and POST /api/auth/change-password your password. Requires a session, not an access token.
 */
export const updateMe = <ThrowOnError extends boolean = true>(options: Options<UpdateMeData, ThrowOnError>): RequestResult<UpdateMeResponses, UpdateMeErrors, ThrowOnError, 'data'> => clientOf(options).patch<UpdateMeResponses, UpdateMeErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/me',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List users (operators)
 *
 * Everybody with an account, also people who are banned or have not confirmed their address. Requires a session, not an access token.
 */
export const listUsers = <ThrowOnError extends boolean = true>(options: Options<ListUsersData, ThrowOnError>): RequestResult<ListUsersResponses, ListUsersErrors, ThrowOnError, 'data'> => clientOf(options).get<ListUsersResponses, ListUsersErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/users',
    ...options
});

/**
 * Ban a user (operators)
 *
 * Takes effect from the next request on. The user then gets 401, or 403 `banned` under /api/auth. Requires a session, not an access token.
 */
export const banUser = <ThrowOnError extends boolean = true>(options: Options<BanUserData, ThrowOnError>): RequestResult<BanUserResponses, BanUserErrors, ThrowOnError, 'data'> => clientOf(options).post<BanUserResponses, BanUserErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/users/{id}/ban',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Lift the ban of a user (operators)
 *
 * The person can sign in again. Requires a session, not an access token.
 */
export const unbanUser = <ThrowOnError extends boolean = true>(options: Options<UnbanUserData, ThrowOnError>): RequestResult<UnbanUserResponses, UnbanUserErrors, ThrowOnError, 'data'> => clientOf(options).post<UnbanUserResponses, UnbanUserErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/users/{id}/unban',
    ...options
});

/**
 * Set the role of a user (operators)
 *
 * There is always at least one operator. Requires a session, not an access token.
 */
export const setUserRole = <ThrowOnError extends boolean = true>(options: Options<SetUserRoleData, ThrowOnError>): RequestResult<SetUserRoleResponses, SetUserRoleErrors, ThrowOnError, 'data'> => clientOf(options).put<SetUserRoleResponses, SetUserRoleErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/users/{id}/role',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Delete a user (operators)
 *
 * Deletes the agreements, sessions and access tokens of the user too, and pending invitations to the address. The audit log keeps what the user did, under the id of the user, without names and addresses. Logs of the process, files of mails and backups are not touched. Requires a session, not an access token.
 */
export const deleteUser = <ThrowOnError extends boolean = true>(options: Options<DeleteUserData, ThrowOnError>): RequestResult<DeleteUserResponses, DeleteUserErrors, ThrowOnError, 'data'> => clientOf(options).delete<DeleteUserResponses, DeleteUserErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/users/{id}',
    ...options
});

/**
 * End every session of a user (operators)
 *
 * Takes effect from the next request on. The access tokens of the user stay. Requires a session, not an access token.
 */
export const endUserSessions = <ThrowOnError extends boolean = true>(options: Options<EndUserSessionsData, ThrowOnError>): RequestResult<EndUserSessionsResponses, EndUserSessionsErrors, ThrowOnError, 'data'> => clientOf(options).delete<EndUserSessionsResponses, EndUserSessionsErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/users/{id}/sessions',
    ...options
});

/**
 * List the sessions of a user (operators)
 *
 * The newest 1,000, oldest first. No answer shows the token of a session. Requires a session, not an access token.
 */
export const listUserSessions = <ThrowOnError extends boolean = true>(options: Options<ListUserSessionsData, ThrowOnError>): RequestResult<ListUserSessionsResponses, ListUserSessionsErrors, ThrowOnError, 'data'> => clientOf(options).get<ListUserSessionsResponses, ListUserSessionsErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/users/{id}/sessions',
    ...options
});

/**
 * End a session of a user (operators)
 *
 * Takes effect from the next request on. Requires a session, not an access token.
 */
export const endUserSession = <ThrowOnError extends boolean = true>(options: Options<EndUserSessionData, ThrowOnError>): RequestResult<EndUserSessionResponses, EndUserSessionErrors, ThrowOnError, 'data'> => clientOf(options).delete<EndUserSessionResponses, EndUserSessionErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/users/{id}/sessions/{session_id}',
    ...options
});

/**
 * Remove the second factor of a user (operators)
 *
 * For a person who has lost it and the backup codes: check who asks. It removes the authenticator app, passkeys, backup codes and trusted devices, ends every session, and tells the user. Requires a recent proof. Requires a session, not an access token.
 */
export const removeUserSecondFactor = <ThrowOnError extends boolean = true>(options: Options<RemoveUserSecondFactorData, ThrowOnError>): RequestResult<RemoveUserSecondFactorResponses, RemoveUserSecondFactorErrors, ThrowOnError, 'data'> => clientOf(options).delete<RemoveUserSecondFactorResponses, RemoveUserSecondFactorErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/users/{id}/second-factor',
    ...options
});

/**
 * List your access tokens
 *
 * The tokens themselves are not shown again: only the answer that created one has it. Requires a session, not an access token.
 */
export const listAccessTokens = <ThrowOnError extends boolean = true>(options: Options<ListAccessTokensData, ThrowOnError>): RequestResult<ListAccessTokensResponses, ListAccessTokensErrors, ThrowOnError, 'data'> => clientOf(options).get<ListAccessTokensResponses, ListAccessTokensErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/me/access-tokens',
    ...options
});

/**
 * Create an access token
 *
 * Only this response shows the token. A user can have 100 access tokens. Requires a session, not an access token.
 */
export const createAccessToken = <ThrowOnError extends boolean = true>(options: Options<CreateAccessTokenData, ThrowOnError>): RequestResult<CreateAccessTokenResponses, CreateAccessTokenErrors, ThrowOnError, 'data'> => clientOf(options).post<CreateAccessTokenResponses, CreateAccessTokenErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/me/access-tokens',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Revoke an access token
 *
 * Takes effect from the next request on. Requires a session, not an access token.
 */
export const revokeAccessToken = <ThrowOnError extends boolean = true>(options: Options<RevokeAccessTokenData, ThrowOnError>): RequestResult<RevokeAccessTokenResponses, RevokeAccessTokenErrors, ThrowOnError, 'data'> => clientOf(options).delete<RevokeAccessTokenResponses, RevokeAccessTokenErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/me/access-tokens/{token_id}',
    ...options
});

/**
 * Ask for an access token from a program without a browser
 *
 * RFC 8628, section 3.1. Show the person `user_code` and `verification_uri`, and ask for the token meanwhile.
 */
export const beginDeviceAuthorization = <ThrowOnError extends boolean = true>(options: Options<BeginDeviceAuthorizationData, ThrowOnError>): RequestResult<BeginDeviceAuthorizationResponses, BeginDeviceAuthorizationErrors, ThrowOnError, 'data'> => clientOf(options).post<BeginDeviceAuthorizationResponses, BeginDeviceAuthorizationErrors, ThrowOnError, 'data'>({
    ...urlSearchParamsBodySerializer,
    responseStyle: 'data',
    url: '/oauth/device_authorization',
    ...options,
    headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        ...options.headers
    }
});

/**
 * Get the access token that a person has approved
 *
 * RFC 8628, section 3.4. The token is answered once. Ask again after `authorization_pending`.
 */
export const fetchDeviceToken = <ThrowOnError extends boolean = true>(options: Options<FetchDeviceTokenData, ThrowOnError>): RequestResult<FetchDeviceTokenResponses, FetchDeviceTokenErrors, ThrowOnError, 'data'> => clientOf(options).post<FetchDeviceTokenResponses, FetchDeviceTokenErrors, ThrowOnError, 'data'>({
    ...urlSearchParamsBodySerializer,
    responseStyle: 'data',
    url: '/oauth/token',
    ...options,
    headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        ...options.headers
    }
});

/**
 * End an access token
 *
 * RFC 7009: whoever has the token may end it. The answer is the same for every text.
 */
export const revokeOwnToken = <ThrowOnError extends boolean = true>(options: Options<RevokeOwnTokenData, ThrowOnError>): RequestResult<RevokeOwnTokenResponses, RevokeOwnTokenErrors, ThrowOnError, 'data'> => clientOf(options).post<RevokeOwnTokenResponses, RevokeOwnTokenErrors, ThrowOnError, 'data'>({
    ...urlSearchParamsBodySerializer,
    responseStyle: 'data',
    url: '/oauth/revoke',
    ...options,
    headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        ...options.headers
    }
});

/**
 * Read which program shows a code
 *
 * Codes that are unknown, answered or expired are 404. More than ten of them in 15 minutes are 429. Requires a session, not an access token.
 */
export const getDeviceAuthorization = <ThrowOnError extends boolean = true>(options: Options<GetDeviceAuthorizationData, ThrowOnError>): RequestResult<GetDeviceAuthorizationResponses, GetDeviceAuthorizationErrors, ThrowOnError, 'data'> => clientOf(options).get<GetDeviceAuthorizationResponses, GetDeviceAuthorizationErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/me/device-authorizations/{user_code}',
    ...options
});

/**
 * Give the program an access token
 *
 * Creates the access token, as POST /me/access-tokens does. Only the program gets its text, once. Requires a session, not an access token.
 */
export const approveDeviceAuthorization = <ThrowOnError extends boolean = true>(options: Options<ApproveDeviceAuthorizationData, ThrowOnError>): RequestResult<ApproveDeviceAuthorizationResponses, ApproveDeviceAuthorizationErrors, ThrowOnError, 'data'> => clientOf(options).post<ApproveDeviceAuthorizationResponses, ApproveDeviceAuthorizationErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/me/device-authorizations/{user_code}/approve',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Refuse the program
 *
 * The program learns it when it asks next. Requires a session, not an access token.
 */
export const denyDeviceAuthorization = <ThrowOnError extends boolean = true>(options: Options<DenyDeviceAuthorizationData, ThrowOnError>): RequestResult<DenyDeviceAuthorizationResponses, DenyDeviceAuthorizationErrors, ThrowOnError, 'data'> => clientOf(options).post<DenyDeviceAuthorizationResponses, DenyDeviceAuthorizationErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/me/device-authorizations/{user_code}/deny',
    ...options
});

/**
 * List the agreements of a partner
 *
 * Members, service accounts and pending invitations of the partner, with what they grant.
 */
export const listPartnerAgreements = <ThrowOnError extends boolean = true>(options: Options<ListPartnerAgreementsData, ThrowOnError>): RequestResult<ListPartnerAgreementsResponses, ListPartnerAgreementsErrors, ThrowOnError, 'data'> => clientOf(options).get<ListPartnerAgreementsResponses, ListPartnerAgreementsErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/agreements',
    ...options
});

/**
 * Create an agreement
 *
 * Invites a person by mail. The agreement is pending until the person accepts it, and carries the default group of the partner. A partner can have 10,000 agreements, and its members send 50 invitations in an hour.
 */
export const createPartnerAgreement = <ThrowOnError extends boolean = true>(options: Options<CreatePartnerAgreementData, ThrowOnError>): RequestResult<CreatePartnerAgreementResponses, CreatePartnerAgreementErrors, ThrowOnError, 'data'> => clientOf(options).post<CreatePartnerAgreementResponses, CreatePartnerAgreementErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/agreements',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Delete, leave or decline an agreement
 *
 * Callers can always leave their own agreement, except the last owner of a partner.
 */
export const deletePartnerAgreement = <ThrowOnError extends boolean = true>(options: Options<DeletePartnerAgreementData, ThrowOnError>): RequestResult<DeletePartnerAgreementResponses, DeletePartnerAgreementErrors, ThrowOnError, 'data'> => clientOf(options).delete<DeletePartnerAgreementResponses, DeletePartnerAgreementErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/agreements/{agreement_id}',
    ...options
});

/**
 * Get an agreement
 *
 * One agreement with its groups and permissions. Callers can always read their own.
 */
export const getPartnerAgreement = <ThrowOnError extends boolean = true>(options: Options<GetPartnerAgreementData, ThrowOnError>): RequestResult<GetPartnerAgreementResponses, GetPartnerAgreementErrors, ThrowOnError, 'data'> => clientOf(options).get<GetPartnerAgreementResponses, GetPartnerAgreementErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/agreements/{agreement_id}',
    ...options
});

/**
 * Update or accept an agreement
 *
 * The invited user accepts with `{"accepted": true}`, in a session. Other members change the terms; callers must hold what they grant.
 */
export const updatePartnerAgreement = <ThrowOnError extends boolean = true>(options: Options<UpdatePartnerAgreementData, ThrowOnError>): RequestResult<UpdatePartnerAgreementResponses, UpdatePartnerAgreementErrors, ThrowOnError, 'data'> => clientOf(options).patch<UpdatePartnerAgreementResponses, UpdatePartnerAgreementErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/agreements/{agreement_id}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Send an invitation again
 *
 * The agreement must be pending. It can then be accepted for another 7 days.
 */
export const resendInvitation = <ThrowOnError extends boolean = true>(options: Options<ResendInvitationData, ThrowOnError>): RequestResult<ResendInvitationResponses, ResendInvitationErrors, ThrowOnError, 'data'> => clientOf(options).post<ResendInvitationResponses, ResendInvitationErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/agreements/{agreement_id}/resend',
    ...options
});

/**
 * Explain what an agreement allows
 *
 * Lists every resource and method, whether the agreement allows it, and why.
 */
export const getEffectivePermissions = <ThrowOnError extends boolean = true>(options: Options<GetEffectivePermissionsData, ThrowOnError>): RequestResult<GetEffectivePermissionsResponses, GetEffectivePermissionsErrors, ThrowOnError, 'data'> => clientOf(options).get<GetEffectivePermissionsResponses, GetEffectivePermissionsErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/agreements/{agreement_id}/effective-permissions',
    ...options
});

/**
 * List your own agreements and invitations
 *
 * The agreements of the caller with every partner, and the invitations to confirmed addresses of the caller.
 */
export const listOwnAgreements = <ThrowOnError extends boolean = true>(options: Options<ListOwnAgreementsData, ThrowOnError>): RequestResult<ListOwnAgreementsResponses, ListOwnAgreementsErrors, ThrowOnError, 'data'> => clientOf(options).get<ListOwnAgreementsResponses, ListOwnAgreementsErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/me/agreements',
    ...options
});

/**
 * List the resources and methods that permissions can name
 *
 * What an ACL permission can name. The list is the same for everyone.
 */
export const listAclResources = <ThrowOnError extends boolean = true>(options: Options<ListAclResourcesData, ThrowOnError>): RequestResult<ListAclResourcesResponses, ListAclResourcesErrors, ThrowOnError, 'data'> => clientOf(options).get<ListAclResourcesResponses, ListAclResourcesErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/acl-resources',
    ...options
});

/**
 * See what an invitation offers
 *
 * Requires the token from the mail, and no account. Changes nothing.
 */
export const getInvitation = <ThrowOnError extends boolean = true>(options: Options<GetInvitationData, ThrowOnError>): RequestResult<GetInvitationResponses, GetInvitationErrors, ThrowOnError, 'data'> => clientOf(options).get<GetInvitationResponses, GetInvitationErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    url: '/invitations/{agreement_id}',
    ...options
});

/**
 * Accept an invitation
 *
 * Requires the token from the mail, and a session of the user with the invited address. Uses the token up. Requires a session, not an access token.
 */
export const acceptInvitation = <ThrowOnError extends boolean = true>(options: Options<AcceptInvitationData, ThrowOnError>): RequestResult<AcceptInvitationResponses, AcceptInvitationErrors, ThrowOnError, 'data'> => clientOf(options).post<AcceptInvitationResponses, AcceptInvitationErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/invitations/{agreement_id}/accept',
    ...options
});

/**
 * Decline an invitation
 *
 * Requires the same as accepting it, except a second factor. Deletes the agreement. Requires a session, not an access token.
 */
export const declineInvitation = <ThrowOnError extends boolean = true>(options: Options<DeclineInvitationData, ThrowOnError>): RequestResult<DeclineInvitationResponses, DeclineInvitationErrors, ThrowOnError, 'data'> => clientOf(options).post<DeclineInvitationResponses, DeclineInvitationErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/invitations/{agreement_id}/decline',
    ...options
});

/**
 * List the permission groups of a partner
 *
 * Custom groups of the partner, and managed groups.
 */
export const listAclPermissionGroups = <ThrowOnError extends boolean = true>(options: Options<ListAclPermissionGroupsData, ThrowOnError>): RequestResult<ListAclPermissionGroupsResponses, ListAclPermissionGroupsErrors, ThrowOnError, 'data'> => clientOf(options).get<ListAclPermissionGroupsResponses, ListAclPermissionGroupsErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/acl-permission-groups',
    ...options
});

/**
 * Create a custom permission group
 *
 * Callers must hold the permissions of the group. A partner can have 1,000 custom groups.
 */
export const createAclPermissionGroup = <ThrowOnError extends boolean = true>(options: Options<CreateAclPermissionGroupData, ThrowOnError>): RequestResult<CreateAclPermissionGroupResponses, CreateAclPermissionGroupErrors, ThrowOnError, 'data'> => clientOf(options).post<CreateAclPermissionGroupResponses, CreateAclPermissionGroupErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/acl-permission-groups',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Get the default permission group
 *
 * The group that new agreements of the partner carry.
 */
export const getDefaultAclPermissionGroup = <ThrowOnError extends boolean = true>(options: Options<GetDefaultAclPermissionGroupData, ThrowOnError>): RequestResult<GetDefaultAclPermissionGroupResponses, GetDefaultAclPermissionGroupErrors, ThrowOnError, 'data'> => clientOf(options).get<GetDefaultAclPermissionGroupResponses, GetDefaultAclPermissionGroupErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/acl-permission-groups/default',
    ...options
});

/**
 * Set the default permission group
 *
 * New agreements carry this group. It must be a custom group of the partner.
 */
export const setDefaultAclPermissionGroup = <ThrowOnError extends boolean = true>(options: Options<SetDefaultAclPermissionGroupData, ThrowOnError>): RequestResult<SetDefaultAclPermissionGroupResponses, SetDefaultAclPermissionGroupErrors, ThrowOnError, 'data'> => clientOf(options).put<SetDefaultAclPermissionGroupResponses, SetDefaultAclPermissionGroupErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/acl-permission-groups/default',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Delete a custom permission group
 *
 * A group that agreements carry is deleted only with `detach=true`, which removes it from them.
 */
export const deleteAclPermissionGroup = <ThrowOnError extends boolean = true>(options: Options<DeleteAclPermissionGroupData, ThrowOnError>): RequestResult<DeleteAclPermissionGroupResponses, DeleteAclPermissionGroupErrors, ThrowOnError, 'data'> => clientOf(options).delete<DeleteAclPermissionGroupResponses, DeleteAclPermissionGroupErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/acl-permission-groups/{group_id}',
    ...options
});

/**
 * Get a permission group
 *
 * A managed group is the same for every partner. A custom group belongs to one partner.
 */
export const getAclPermissionGroup = <ThrowOnError extends boolean = true>(options: Options<GetAclPermissionGroupData, ThrowOnError>): RequestResult<GetAclPermissionGroupResponses, GetAclPermissionGroupErrors, ThrowOnError, 'data'> => clientOf(options).get<GetAclPermissionGroupResponses, GetAclPermissionGroupErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/acl-permission-groups/{group_id}',
    ...options
});

/**
 * Update a custom permission group
 *
 * Changes the access of every agreement that carries the group.
 */
export const updateAclPermissionGroup = <ThrowOnError extends boolean = true>(options: Options<UpdateAclPermissionGroupData, ThrowOnError>): RequestResult<UpdateAclPermissionGroupResponses, UpdateAclPermissionGroupErrors, ThrowOnError, 'data'> => clientOf(options).patch<UpdateAclPermissionGroupResponses, UpdateAclPermissionGroupErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/acl-permission-groups/{group_id}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Preview a change of a custom permission group
 *
 * Says what each agreement that carries the group would gain and lose if an update set these permissions. Changes nothing, and refuses what the update refuses. An empty list shows what deleting the group takes away.
 */
export const previewAclPermissionGroup = <ThrowOnError extends boolean = true>(options: Options<PreviewAclPermissionGroupData, ThrowOnError>): RequestResult<PreviewAclPermissionGroupResponses, PreviewAclPermissionGroupErrors, ThrowOnError, 'data'> => clientOf(options).post<PreviewAclPermissionGroupResponses, PreviewAclPermissionGroupErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/acl-permission-groups/{group_id}/preview',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List access requests
 *
 * What members ask for. Without the permission `agreements.query`, the list has only your own requests.
 */
export const listAccessRequests = <ThrowOnError extends boolean = true>(options: Options<ListAccessRequestsData, ThrowOnError>): RequestResult<ListAccessRequestsResponses, ListAccessRequestsErrors, ThrowOnError, 'data'> => clientOf(options).get<ListAccessRequestsResponses, ListAccessRequestsErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/access-requests',
    ...options
});

/**
 * Ask for access
 *
 * Asks for permissions that you lack, for some time. People who could approve the request get a mail. If the same permissions are pending, the answer is that request, with 200. Requires a session.
 */
export const createAccessRequest = <ThrowOnError extends boolean = true>(options: Options<CreateAccessRequestData, ThrowOnError>): RequestResult<CreateAccessRequestResponses, CreateAccessRequestErrors, ThrowOnError, 'data'> => clientOf(options).post<CreateAccessRequestResponses, CreateAccessRequestErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/access-requests',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Get an access request
 *
 * Callers can always read their own.
 */
export const getAccessRequest = <ThrowOnError extends boolean = true>(options: Options<GetAccessRequestData, ThrowOnError>): RequestResult<GetAccessRequestResponses, GetAccessRequestErrors, ThrowOnError, 'data'> => clientOf(options).get<GetAccessRequestResponses, GetAccessRequestErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/access-requests/{access_request_id}',
    ...options
});

/**
 * Approve an access request
 *
 * Gives the agreement these permissions until the time is over. You must be allowed to grant exactly that. Nobody approves their own. Requires a session.
 */
export const approveAccessRequest = <ThrowOnError extends boolean = true>(options: Options<ApproveAccessRequestData, ThrowOnError>): RequestResult<ApproveAccessRequestResponses, ApproveAccessRequestErrors, ThrowOnError, 'data'> => clientOf(options).post<ApproveAccessRequestResponses, ApproveAccessRequestErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/access-requests/{access_request_id}/approve',
    ...options
});

/**
 * Deny an access request
 *
 * The person who asked gets a mail, with your note. Requires a session.
 */
export const denyAccessRequest = <ThrowOnError extends boolean = true>(options: Options<DenyAccessRequestData, ThrowOnError>): RequestResult<DenyAccessRequestResponses, DenyAccessRequestErrors, ThrowOnError, 'data'> => clientOf(options).post<DenyAccessRequestResponses, DenyAccessRequestErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/access-requests/{access_request_id}/deny',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Withdraw your access request
 *
 * Only the person who asked can do it, while the request is pending. Requires a session.
 */
export const withdrawAccessRequest = <ThrowOnError extends boolean = true>(options: Options<WithdrawAccessRequestData, ThrowOnError>): RequestResult<WithdrawAccessRequestResponses, WithdrawAccessRequestErrors, ThrowOnError, 'data'> => clientOf(options).post<WithdrawAccessRequestResponses, WithdrawAccessRequestErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/access-requests/{access_request_id}/withdraw',
    ...options
});

/**
 * End the access of an approved request
 *
 * The person who asked can do it, too. Requires a session.
 */
export const revokeAccessRequest = <ThrowOnError extends boolean = true>(options: Options<RevokeAccessRequestData, ThrowOnError>): RequestResult<RevokeAccessRequestResponses, RevokeAccessRequestErrors, ThrowOnError, 'data'> => clientOf(options).post<RevokeAccessRequestResponses, RevokeAccessRequestErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/access-requests/{access_request_id}/revoke',
    ...options
});

/**
 * Get how often access is reviewed
 *
 * For owners. Requires a session, not an access token.
 */
export const getAccessReviewPolicy = <ThrowOnError extends boolean = true>(options: Options<GetAccessReviewPolicyData, ThrowOnError>): RequestResult<GetAccessReviewPolicyResponses, GetAccessReviewPolicyErrors, ThrowOnError, 'data'> => clientOf(options).get<GetAccessReviewPolicyResponses, GetAccessReviewPolicyErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/access-review-policy',
    ...options
});

/**
 * Set how often access is reviewed
 *
 * The first review opens at once. `interval_days: null` turns reviews off, and closes the open one: nothing ends. Without `warning_days` it stays, at most half of the interval. Requires a session, not an access token.
 */
export const setAccessReviewPolicy = <ThrowOnError extends boolean = true>(options: Options<SetAccessReviewPolicyData, ThrowOnError>): RequestResult<SetAccessReviewPolicyResponses, SetAccessReviewPolicyErrors, ThrowOnError, 'data'> => clientOf(options).put<SetAccessReviewPolicyResponses, SetAccessReviewPolicyErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/access-review-policy',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List the access reviews of a partner
 *
 * The last 50, the newest first. Requires a session, not an access token.
 */
export const listAccessReviews = <ThrowOnError extends boolean = true>(options: Options<ListAccessReviewsData, ThrowOnError>): RequestResult<ListAccessReviewsResponses, ListAccessReviewsErrors, ThrowOnError, 'data'> => clientOf(options).get<ListAccessReviewsResponses, ListAccessReviewsErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/access-reviews',
    ...options
});

/**
 * Get an access review
 *
 * With the number of agreements by decision. Requires a session, not an access token.
 */
export const getAccessReview = <ThrowOnError extends boolean = true>(options: Options<GetAccessReviewData, ThrowOnError>): RequestResult<GetAccessReviewResponses, GetAccessReviewErrors, ThrowOnError, 'data'> => clientOf(options).get<GetAccessReviewResponses, GetAccessReviewErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/access-reviews/{review_id}',
    ...options
});

/**
 * List the agreements of an access review
 *
 * As they were when the review opened, with what was decided. Requires a session, not an access token.
 */
export const listAccessReviewItems = <ThrowOnError extends boolean = true>(options: Options<ListAccessReviewItemsData, ThrowOnError>): RequestResult<ListAccessReviewItemsResponses, ListAccessReviewItemsErrors, ThrowOnError, 'data'> => clientOf(options).get<ListAccessReviewItemsResponses, ListAccessReviewItemsErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/access-reviews/{review_id}/items',
    ...options
});

/**
 * Download an access review as CSV
 *
 * One line for each agreement (RFC 4180). A cell that a spreadsheet could take for a formula begins with a quote. Requires a session, not an access token.
 */
export const getAccessReviewDocument = <ThrowOnError extends boolean = true>(options: Options<GetAccessReviewDocumentData, ThrowOnError>): RequestResult<GetAccessReviewDocumentResponses, GetAccessReviewDocumentErrors, ThrowOnError, 'data'> => clientOf(options).get<GetAccessReviewDocumentResponses, GetAccessReviewDocumentErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/access-reviews/{review_id}/document',
    ...options
});

/**
 * Confirm an agreement
 *
 * It stays as it is. Another owner decides about your own agreement, if there is one. Confirming again changes nothing. Requires a session, not an access token.
 */
export const confirmReviewedAgreement = <ThrowOnError extends boolean = true>(options: Options<ConfirmReviewedAgreementData, ThrowOnError>): RequestResult<ConfirmReviewedAgreementResponses, ConfirmReviewedAgreementErrors, ThrowOnError, 'data'> => clientOf(options).post<ConfirmReviewedAgreementResponses, ConfirmReviewedAgreementErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/access-reviews/{review_id}/items/{agreement_id}/confirm',
    ...options
});

/**
 * End an agreement
 *
 * It ends now, and stays in the list of agreements as expired. The last owner stays. Requires a session, not an access token.
 */
export const endReviewedAgreement = <ThrowOnError extends boolean = true>(options: Options<EndReviewedAgreementData, ThrowOnError>): RequestResult<EndReviewedAgreementResponses, EndReviewedAgreementErrors, ThrowOnError, 'data'> => clientOf(options).post<EndReviewedAgreementResponses, EndReviewedAgreementErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/access-reviews/{review_id}/items/{agreement_id}/end',
    ...options
});

/**
 * Confirm many agreements
 *
 * Up to 500. Those that are no longer pending, or that another owner decides about, stay as they are. The answer has each as it is now. Requires a session, not an access token.
 */
export const confirmReviewedAgreements = <ThrowOnError extends boolean = true>(options: Options<ConfirmReviewedAgreementsData, ThrowOnError>): RequestResult<ConfirmReviewedAgreementsResponses, ConfirmReviewedAgreementsErrors, ThrowOnError, 'data'> => clientOf(options).post<ConfirmReviewedAgreementsResponses, ConfirmReviewedAgreementsErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/access-reviews/{review_id}/confirm',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List who can give a permission
 *
 * The people whom a member can ask for a permission: those who could give it to somebody by an agreement. Owners first, 100 at most. Every member may ask; an access token needs a scope that reads or lists agreements.
 */
export const listGrantors = <ThrowOnError extends boolean = true>(options: Options<ListGrantorsData, ThrowOnError>): RequestResult<ListGrantorsResponses, ListGrantorsErrors, ThrowOnError, 'data'> => clientOf(options).get<ListGrantorsResponses, ListGrantorsErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/grantors',
    ...options
});

/**
 * List the identity connections of a partner
 *
 * The OpenID Connect providers with which people of the partner sign in. Requires a session, not an access token.
 */
export const listConnections = <ThrowOnError extends boolean = true>(options: Options<ListConnectionsData, ThrowOnError>): RequestResult<ListConnectionsResponses, ListConnectionsErrors, ThrowOnError, 'data'> => clientOf(options).get<ListConnectionsResponses, ListConnectionsErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/connections',
    ...options
});

/**
 * Create an identity connection
 *
 * Reads the discovery document of the issuer. The connection is off until it was tested and has a verified domain. A partner can have 5. Requires a session, not an access token.
 */
export const createConnection = <ThrowOnError extends boolean = true>(options: Options<CreateConnectionData, ThrowOnError>): RequestResult<CreateConnectionResponses, CreateConnectionErrors, ThrowOnError, 'data'> => clientOf(options).post<CreateConnectionResponses, CreateConnectionErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/connections',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Delete an identity connection with its domains
 *
 * People no longer sign in with it. Agreements that it made stay. The last one stays while single sign-on is required. Requires a session, not an access token.
 */
export const deleteConnection = <ThrowOnError extends boolean = true>(options: Options<DeleteConnectionData, ThrowOnError>): RequestResult<DeleteConnectionResponses, DeleteConnectionErrors, ThrowOnError, 'data'> => clientOf(options).delete<DeleteConnectionResponses, DeleteConnectionErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/connections/{connection_id}',
    ...options
});

/**
 * Get an identity connection
 *
 * Without its secret. Requires a session, not an access token.
 */
export const getConnection = <ThrowOnError extends boolean = true>(options: Options<GetConnectionData, ThrowOnError>): RequestResult<GetConnectionResponses, GetConnectionErrors, ThrowOnError, 'data'> => clientOf(options).get<GetConnectionResponses, GetConnectionErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/connections/{connection_id}',
    ...options
});

/**
 * Change an identity connection
 *
 * Another issuer or client turns the connection off until it is tested again, and ends what it proved. Requires a session, not an access token.
 */
export const updateConnection = <ThrowOnError extends boolean = true>(options: Options<UpdateConnectionData, ThrowOnError>): RequestResult<UpdateConnectionResponses, UpdateConnectionErrors, ThrowOnError, 'data'> => clientOf(options).patch<UpdateConnectionResponses, UpdateConnectionErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/connections/{connection_id}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Turn an identity connection on
 *
 * It must be tested, and have a verified domain. Requires a session, not an access token.
 */
export const enableConnection = <ThrowOnError extends boolean = true>(options: Options<EnableConnectionData, ThrowOnError>): RequestResult<EnableConnectionResponses, EnableConnectionErrors, ThrowOnError, 'data'> => clientOf(options).put<EnableConnectionResponses, EnableConnectionErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/connections/{connection_id}/enable',
    ...options
});

/**
 * Turn an identity connection off
 *
 * Ends what it proved. The last one stays on while single sign-on is required. Requires a session, not an access token.
 */
export const disableConnection = <ThrowOnError extends boolean = true>(options: Options<DisableConnectionData, ThrowOnError>): RequestResult<DisableConnectionResponses, DisableConnectionErrors, ThrowOnError, 'data'> => clientOf(options).put<DisableConnectionResponses, DisableConnectionErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/connections/{connection_id}/disable',
    ...options
});

/**
 * List the domains of a connection
 *
 * A connection speaks only for addresses of its verified domains. Requires a session, not an access token.
 */
export const listDomains = <ThrowOnError extends boolean = true>(options: Options<ListDomainsData, ThrowOnError>): RequestResult<ListDomainsResponses, ListDomainsErrors, ThrowOnError, 'data'> => clientOf(options).get<ListDomainsResponses, ListDomainsErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/connections/{connection_id}/domains',
    ...options
});

/**
 * Add a domain to a connection
 *
 * The answer has the DNS record that proves it. A connection can have 20 domains. Requires a session, not an access token.
 */
export const addDomain = <ThrowOnError extends boolean = true>(options: Options<AddDomainData, ThrowOnError>): RequestResult<AddDomainResponses, AddDomainErrors, ThrowOnError, 'data'> => clientOf(options).post<AddDomainResponses, AddDomainErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/connections/{connection_id}/domains',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Delete a domain of a connection
 *
 * The connection no longer speaks for its addresses. Agreements stay. Requires a session, not an access token.
 */
export const deleteDomain = <ThrowOnError extends boolean = true>(options: Options<DeleteDomainData, ThrowOnError>): RequestResult<DeleteDomainResponses, DeleteDomainErrors, ThrowOnError, 'data'> => clientOf(options).delete<DeleteDomainResponses, DeleteDomainErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/connections/{connection_id}/domains/{domain_id}',
    ...options
});

/**
 * Get a domain
 *
 * With the record that proves it, and its last check. Requires a session, not an access token.
 */
export const getDomain = <ThrowOnError extends boolean = true>(options: Options<GetDomainData, ThrowOnError>): RequestResult<GetDomainResponses, GetDomainErrors, ThrowOnError, 'data'> => clientOf(options).get<GetDomainResponses, GetDomainErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/connections/{connection_id}/domains/{domain_id}',
    ...options
});

/**
 * Verify a domain
 *
 * Asks the DNS for the record now. `status` and `last_check` say what was found. A domain of another partner moves here only when the record of that partner is gone. Requires a session, not an access token.
 */
export const verifyDomain = <ThrowOnError extends boolean = true>(options: Options<VerifyDomainData, ThrowOnError>): RequestResult<VerifyDomainResponses, VerifyDomainErrors, ThrowOnError, 'data'> => clientOf(options).post<VerifyDomainResponses, VerifyDomainErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/connections/{connection_id}/domains/{domain_id}/verify',
    ...options
});

/**
 * Find the identity provider of an e-mail address
 *
 * Tells about the domain of the address, and nothing about accounts.
 */
export const findSignInMethods = <ThrowOnError extends boolean = true>(options: Options<FindSignInMethodsData, ThrowOnError>): RequestResult<FindSignInMethodsResponses, FindSignInMethodsErrors, ThrowOnError, 'data'> => clientOf(options).post<FindSignInMethodsResponses, FindSignInMethodsErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    url: '/api/auth/sign-in/methods',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Start a sign-in with the identity provider of a company
 *
 * Answers with the URL to which the client redirects the browser. The body names the e-mail address, or the connection.
 */
export const signInWithConnection = <ThrowOnError extends boolean = true>(options: Options<SignInWithConnectionData, ThrowOnError>): RequestResult<SignInWithConnectionResponses, SignInWithConnectionErrors, ThrowOnError, 'data'> => clientOf(options).post<SignInWithConnectionResponses, SignInWithConnectionErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    url: '/api/auth/sign-in/connection',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Prove the sign-in with the identity provider of a partner, in this session
 *
 * For 403 `sso_required`. Answers with the URL to which the client redirects the browser. Requires a session, not an access token.
 */
export const proveSignIn = <ThrowOnError extends boolean = true>(options: Options<ProveSignInData, ThrowOnError>): RequestResult<ProveSignInResponses, ProveSignInErrors, ThrowOnError, 'data'> => clientOf(options).post<ProveSignInResponses, ProveSignInErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/auth/connections/prove',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Test a connection by a real sign-in
 *
 * Answers with the URL to which the client redirects the browser. The connection can be switched on when the browser has come back. Requires a session, not an access token.
 */
export const testConnection = <ThrowOnError extends boolean = true>(options: Options<TestConnectionData, ThrowOnError>): RequestResult<TestConnectionResponses, TestConnectionErrors, ThrowOnError, 'data'> => clientOf(options).post<TestConnectionResponses, TestConnectionErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/connections/{connection_id}/test',
    ...options
});

/**
 * Complete a visit to the identity provider of a company
 *
 * The provider redirects the browser here. Answers like a sign-in; with `linkCode` if the address has an account that is not linked yet; with `proved` or `tested`. If the console asked, it redirects the browser to a page of the console.
 */
export const returnFromConnection = <ThrowOnError extends boolean = true>(options: Options<ReturnFromConnectionData, ThrowOnError>): RequestResult<ReturnFromConnectionResponses, ReturnFromConnectionErrors, ThrowOnError, 'data'> => clientOf(options).get<ReturnFromConnectionResponses, ReturnFromConnectionErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    url: '/api/auth/connections/{connection_id}/callback',
    ...options
});

/**
 * Link an account at the identity provider of a company
 *
 * For the `linkCode` of a sign-in whose address has an account. It works for ten minutes, in a session of that account that has just proven it. The session then has the proof of the partner. Requires a session, not an access token.
 */
export const linkConnection = <ThrowOnError extends boolean = true>(options: Options<LinkConnectionData, ThrowOnError>): RequestResult<LinkConnectionResponses, LinkConnectionErrors, ThrowOnError, 'data'> => clientOf(options).post<LinkConnectionResponses, LinkConnectionErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/auth/connections/link',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * End sessions after a logout at the identity provider
 *
 * OpenID Connect Back-Channel Logout 1.0. Ends the sessions that the connection signed in, and its proofs in others.
 */
export const logOutByConnection = <ThrowOnError extends boolean = true>(options: Options<LogOutByConnectionData, ThrowOnError>): RequestResult<LogOutByConnectionResponses, LogOutByConnectionErrors, ThrowOnError, 'data'> => clientOf(options).post<LogOutByConnectionResponses, LogOutByConnectionErrors, ThrowOnError, 'data'>({
    ...urlSearchParamsBodySerializer,
    responseStyle: 'data',
    url: '/api/auth/connections/{connection_id}/backchannel-logout',
    ...options,
    headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        ...options.headers
    }
});

/**
 * Get the sign-in policy of a partner
 *
 * Who must sign in with the identity provider of the partner, and who may work without it. Requires a session, not an access token.
 */
export const getSignInPolicy = <ThrowOnError extends boolean = true>(options: Options<GetSignInPolicyData, ThrowOnError>): RequestResult<GetSignInPolicyResponses, GetSignInPolicyErrors, ThrowOnError, 'data'> => clientOf(options).get<GetSignInPolicyResponses, GetSignInPolicyErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/sign-in-policy',
    ...options
});

/**
 * Set the sign-in policy of a partner
 *
 * To require more, a connection must be on, and the session of an owner must have its proof. Tokens of service accounts work as before. Requires a session, not an access token.
 */
export const setSignInPolicy = <ThrowOnError extends boolean = true>(options: Options<SetSignInPolicyData, ThrowOnError>): RequestResult<SetSignInPolicyResponses, SetSignInPolicyErrors, ThrowOnError, 'data'> => clientOf(options).put<SetSignInPolicyResponses, SetSignInPolicyErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/sign-in-policy',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Ask whether you may work without the identity provider
 *
 * Also in a session without the proof of the provider. Requires a session, not an access token.
 */
export const getBreakGlass = <ThrowOnError extends boolean = true>(options: Options<GetBreakGlassData, ThrowOnError>): RequestResult<GetBreakGlassResponses, GetBreakGlassErrors, ThrowOnError, 'data'> => clientOf(options).get<GetBreakGlassResponses, GetBreakGlassErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/break-glass',
    ...options
});

/**
 * Work without the identity provider for an hour
 *
 * For the owners who are named for it, in a session that has proven a second factor. All owners get a mail. Requires a session, not an access token.
 */
export const breakGlass = <ThrowOnError extends boolean = true>(options: Options<BreakGlassData, ThrowOnError>): RequestResult<BreakGlassResponses, BreakGlassErrors, ThrowOnError, 'data'> => clientOf(options).post<BreakGlassResponses, BreakGlassErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/break-glass',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Get the state of provisioning
 *
 * The base URL of SCIM 2.0 (RFC 7644), its token, counts, and the last requests of the directory. Requires a session, not an access token.
 */
export const getProvisioning = <ThrowOnError extends boolean = true>(options: Options<GetProvisioningData, ThrowOnError>): RequestResult<GetProvisioningResponses, GetProvisioningErrors, ThrowOnError, 'data'> => clientOf(options).get<GetProvisioningResponses, GetProvisioningErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/connections/{connection_id}/provisioning',
    ...options
});

/**
 * Revoke the token of the directory
 *
 * It stops working at once. People keep their agreements. Requires a session, not an access token.
 */
export const revokeProvisioningToken = <ThrowOnError extends boolean = true>(options: Options<RevokeProvisioningTokenData, ThrowOnError>): RequestResult<RevokeProvisioningTokenResponses, RevokeProvisioningTokenErrors, ThrowOnError, 'data'> => clientOf(options).delete<RevokeProvisioningTokenResponses, RevokeProvisioningTokenErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/connections/{connection_id}/provisioning-token',
    ...options
});

/**
 * Create the token of the directory
 *
 * Only this response shows it. It replaces the token that the connection has. Requires a session, not an access token.
 */
export const createProvisioningToken = <ThrowOnError extends boolean = true>(options: Options<CreateProvisioningTokenData, ThrowOnError>): RequestResult<CreateProvisioningTokenResponses, CreateProvisioningTokenErrors, ThrowOnError, 'data'> => clientOf(options).post<CreateProvisioningTokenResponses, CreateProvisioningTokenErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/connections/{connection_id}/provisioning-token',
    ...options
});

/**
 * List the groups of the directory
 *
 * With the permission group that each gives to its members. Requires a session, not an access token.
 */
export const listProvisionedGroups = <ThrowOnError extends boolean = true>(options: Options<ListProvisionedGroupsData, ThrowOnError>): RequestResult<ListProvisionedGroupsResponses, ListProvisionedGroupsErrors, ThrowOnError, 'data'> => clientOf(options).get<ListProvisionedGroupsResponses, ListProvisionedGroupsErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/connections/{connection_id}/provisioned-groups',
    ...options
});

/**
 * Get a group of the directory
 *
 * With the permission group that it gives to its members. Requires a session, not an access token.
 */
export const getProvisionedGroup = <ThrowOnError extends boolean = true>(options: Options<GetProvisionedGroupData, ThrowOnError>): RequestResult<GetProvisionedGroupResponses, GetProvisionedGroupErrors, ThrowOnError, 'data'> => clientOf(options).get<GetProvisionedGroupResponses, GetProvisionedGroupErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/connections/{connection_id}/provisioned-groups/{provisioned_group_id}',
    ...options
});

/**
 * Map a group of the directory to a permission group
 *
 * Its members get the permission group, and lose the one that it gave before. Requires a session, not an access token.
 */
export const mapProvisionedGroup = <ThrowOnError extends boolean = true>(options: Options<MapProvisionedGroupData, ThrowOnError>): RequestResult<MapProvisionedGroupResponses, MapProvisionedGroupErrors, ThrowOnError, 'data'> => clientOf(options).put<MapProvisionedGroupResponses, MapProvisionedGroupErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/connections/{connection_id}/provisioned-groups/{provisioned_group_id}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List the service accounts of a partner
 *
 * Programs of the partner. Each has an agreement that says what it may do. Requires a session, not an access token.
 */
export const listServiceAccounts = <ThrowOnError extends boolean = true>(options: Options<ListServiceAccountsData, ThrowOnError>): RequestResult<ListServiceAccountsResponses, ListServiceAccountsErrors, ThrowOnError, 'data'> => clientOf(options).get<ListServiceAccountsResponses, ListServiceAccountsErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/service-accounts',
    ...options
});

/**
 * Create a service account
 *
 * Creates an agreement too, which grants nothing yet: update it to give permissions. A partner can have 100 service accounts. Requires a session, not an access token.
 */
export const createServiceAccount = <ThrowOnError extends boolean = true>(options: Options<CreateServiceAccountData, ThrowOnError>): RequestResult<CreateServiceAccountResponses, CreateServiceAccountErrors, ThrowOnError, 'data'> => clientOf(options).post<CreateServiceAccountResponses, CreateServiceAccountErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/service-accounts',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Delete a service account with its agreement and access tokens
 *
 * Its access tokens stop working at once. Requires a session, not an access token.
 */
export const deleteServiceAccount = <ThrowOnError extends boolean = true>(options: Options<DeleteServiceAccountData, ThrowOnError>): RequestResult<DeleteServiceAccountResponses, DeleteServiceAccountErrors, ThrowOnError, 'data'> => clientOf(options).delete<DeleteServiceAccountResponses, DeleteServiceAccountErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/service-accounts/{service_account_id}',
    ...options
});

/**
 * Get a service account
 *
 * A program of the partner, without its access tokens. Requires a session, not an access token.
 */
export const getServiceAccount = <ThrowOnError extends boolean = true>(options: Options<GetServiceAccountData, ThrowOnError>): RequestResult<GetServiceAccountResponses, GetServiceAccountErrors, ThrowOnError, 'data'> => clientOf(options).get<GetServiceAccountResponses, GetServiceAccountErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/service-accounts/{service_account_id}',
    ...options
});

/**
 * List the access tokens of a service account
 *
 * The tokens themselves are not shown again: only the answer that created one has it. Requires a session, not an access token.
 */
export const listServiceAccountTokens = <ThrowOnError extends boolean = true>(options: Options<ListServiceAccountTokensData, ThrowOnError>): RequestResult<ListServiceAccountTokensResponses, ListServiceAccountTokensErrors, ThrowOnError, 'data'> => clientOf(options).get<ListServiceAccountTokensResponses, ListServiceAccountTokensErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/service-accounts/{service_account_id}/access-tokens',
    ...options
});

/**
 * Create an access token for a service account
 *
 * Only this response shows the token. The session needs a recent proof of its user, as in POST /me/access-tokens. Requires a session, not an access token.
 */
export const createServiceAccountToken = <ThrowOnError extends boolean = true>(options: Options<CreateServiceAccountTokenData, ThrowOnError>): RequestResult<CreateServiceAccountTokenResponses, CreateServiceAccountTokenErrors, ThrowOnError, 'data'> => clientOf(options).post<CreateServiceAccountTokenResponses, CreateServiceAccountTokenErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/service-accounts/{service_account_id}/access-tokens',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Revoke an access token of a service account
 *
 * The token stops working at once. Requires a session, not an access token.
 */
export const revokeServiceAccountToken = <ThrowOnError extends boolean = true>(options: Options<RevokeServiceAccountTokenData, ThrowOnError>): RequestResult<RevokeServiceAccountTokenResponses, RevokeServiceAccountTokenErrors, ThrowOnError, 'data'> => clientOf(options).delete<RevokeServiceAccountTokenResponses, RevokeServiceAccountTokenErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/service-accounts/{service_account_id}/access-tokens/{token_id}',
    ...options
});

/**
 * Delete a partner
 *
 * Hides the partner with everything that belongs to it. Operators can restore it for 30 days.
 */
export const deletePartner = <ThrowOnError extends boolean = true>(options: Options<DeletePartnerData, ThrowOnError>): RequestResult<DeletePartnerResponses, DeletePartnerErrors, ThrowOnError, 'data'> => clientOf(options).delete<DeletePartnerResponses, DeletePartnerErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}',
    ...options
});

/**
 * Get a partner
 *
 * For callers without access to the partner it does not exist: 404.
 */
export const getPartner = <ThrowOnError extends boolean = true>(options: Options<GetPartnerData, ThrowOnError>): RequestResult<GetPartnerResponses, GetPartnerErrors, ThrowOnError, 'data'> => clientOf(options).get<GetPartnerResponses, GetPartnerErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}',
    ...options
});

/**
 * Update a partner
 *
 * Sets the members that the body has. `Ignored-Members` lists the JSON pointers of members that have no effect.
 */
export const updatePartner = <ThrowOnError extends boolean = true>(options: Options<UpdatePartnerData, ThrowOnError>): RequestResult<UpdatePartnerResponses, UpdatePartnerErrors, ThrowOnError, 'data'> => clientOf(options).patch<UpdatePartnerResponses, UpdatePartnerErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Restore a deleted partner (operators)
 *
 * Possible for 30 days. A partner that is not deleted does not change.
 */
export const restorePartner = <ThrowOnError extends boolean = true>(options: Options<RestorePartnerData, ThrowOnError>): RequestResult<RestorePartnerResponses, RestorePartnerErrors, ThrowOnError, 'data'> => clientOf(options).post<RestorePartnerResponses, RestorePartnerErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/restore',
    ...options
});

/**
 * List the partners that you can see
 *
 * Operators see every partner. Everybody else sees those that an active agreement gives access to.
 */
export const listPartners = <ThrowOnError extends boolean = true>(options: Options<ListPartnersData, ThrowOnError>): RequestResult<ListPartnersResponses, ListPartnersErrors, ThrowOnError, 'data'> => clientOf(options).get<ListPartnersResponses, ListPartnersErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners',
    ...options
});

/**
 * Create a partner (operators)
 *
 * A new partner has no members. Create an agreement to invite the first one.
 */
export const createPartner = <ThrowOnError extends boolean = true>(options: Options<CreatePartnerData, ThrowOnError>): RequestResult<CreatePartnerResponses, CreatePartnerErrors, ThrowOnError, 'data'> => clientOf(options).post<CreatePartnerResponses, CreatePartnerErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List the deleted partners that can be restored (operators)
 *
 * A deleted partner can be restored until its data is removed for good.
 */
export const listDeletedPartners = <ThrowOnError extends boolean = true>(options: Options<ListDeletedPartnersData, ThrowOnError>): RequestResult<ListDeletedPartnersResponses, ListDeletedPartnersErrors, ThrowOnError, 'data'> => clientOf(options).get<ListDeletedPartnersResponses, ListDeletedPartnersErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/platform/deleted-partners',
    ...options
});

/**
 * Get the public keys that sign live webhooks
 *
 * Receivers verify live webhooks with these keys. Find a key by its kid, and read the document again when the kid is unknown.
 */
export const getJwks = <ThrowOnError extends boolean = true>(options: Options<GetJwksData, ThrowOnError>): RequestResult<GetJwksResponses, GetJwksErrors, ThrowOnError, 'data'> => clientOf(options).get<GetJwksResponses, GetJwksErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    url: '/.well-known/jwks.json',
    ...options
});

/**
 * Get the public keys that sign sandbox webhooks
 *
 * Receivers verify sandbox webhooks with these keys. Find a key by its kid, and read the document again when the kid is unknown.
 */
export const getSandboxJwks = <ThrowOnError extends boolean = true>(options: Options<GetSandboxJwksData, ThrowOnError>): RequestResult<GetSandboxJwksResponses, GetSandboxJwksErrors, ThrowOnError, 'data'> => clientOf(options).get<GetSandboxJwksResponses, GetSandboxJwksErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    url: '/sandbox/.well-known/jwks.json',
    ...options
});

/**
 * List signing keys (operators)
 *
 * The keys of both environments, with the times at which they begin and stop to sign. Private keys are never shown. Requires a session, not an access token.
 */
export const listSigningKeys = <ThrowOnError extends boolean = true>(options: Options<ListSigningKeysData, ThrowOnError>): RequestResult<ListSigningKeysResponses, ListSigningKeysErrors, ThrowOnError, 'data'> => clientOf(options).get<ListSigningKeysResponses, ListSigningKeysErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/signing-keys',
    ...options
});

/**
 * Rotate the signing key (operators)
 *
 * The next key signs as soon as it has been published for 48 hours. In sandbox it can sign at once: receivers then see an unknown key, and read the JWKS again. Requires a session, not an access token.
 */
export const rotateSigningKey = <ThrowOnError extends boolean = true>(options: Options<RotateSigningKeyData, ThrowOnError>): RequestResult<RotateSigningKeyResponses, RotateSigningKeyErrors, ThrowOnError, 'data'> => clientOf(options).post<RotateSigningKeyResponses, RotateSigningKeyErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/signing-keys/rotate',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Revoke a signing key (operators)
 *
 * Removes the key from the JWKS at once. If the key was active, the next key signs from now on. Requires a session, not an access token.
 */
export const revokeSigningKey = <ThrowOnError extends boolean = true>(options: Options<RevokeSigningKeyData, ThrowOnError>): RequestResult<RevokeSigningKeyResponses, RevokeSigningKeyErrors, ThrowOnError, 'data'> => clientOf(options).post<RevokeSigningKeyResponses, RevokeSigningKeyErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/signing-keys/{kid}/revoke',
    ...options
});

/**
 * List webhook endpoints
 *
 * The URLs that receive webhooks of the partner, with the state of each.
 */
export const listWebhookEndpoints = <ThrowOnError extends boolean = true>(options: Options<ListWebhookEndpointsData, ThrowOnError>): RequestResult<ListWebhookEndpointsResponses, ListWebhookEndpointsErrors, ThrowOnError, 'data'> => clientOf(options).get<ListWebhookEndpointsResponses, ListWebhookEndpointsErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/webhook-endpoints',
    ...options
});

/**
 * Create a webhook endpoint
 *
 * The endpoint gets events that are published from now on.
 */
export const createWebhookEndpoint = <ThrowOnError extends boolean = true>(options: Options<CreateWebhookEndpointData, ThrowOnError>): RequestResult<CreateWebhookEndpointResponses, CreateWebhookEndpointErrors, ThrowOnError, 'data'> => clientOf(options).post<CreateWebhookEndpointResponses, CreateWebhookEndpointErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/webhook-endpoints',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Delete a webhook endpoint
 *
 * Nothing is sent to the endpoint any more.
 */
export const deleteWebhookEndpoint = <ThrowOnError extends boolean = true>(options: Options<DeleteWebhookEndpointData, ThrowOnError>): RequestResult<DeleteWebhookEndpointResponses, DeleteWebhookEndpointErrors, ThrowOnError, 'data'> => clientOf(options).delete<DeleteWebhookEndpointResponses, DeleteWebhookEndpointErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/webhook-endpoints/{endpoint_id}',
    ...options
});

/**
 * Get a webhook endpoint
 *
 * One endpoint with its state and limits. Of its headers, only the names are shown.
 */
export const getWebhookEndpoint = <ThrowOnError extends boolean = true>(options: Options<GetWebhookEndpointData, ThrowOnError>): RequestResult<GetWebhookEndpointResponses, GetWebhookEndpointErrors, ThrowOnError, 'data'> => clientOf(options).get<GetWebhookEndpointResponses, GetWebhookEndpointErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/webhook-endpoints/{endpoint_id}',
    ...options
});

/**
 * Update a webhook endpoint
 *
 * Changes only the members that are given. An endpoint with headers or an authentication that moves to another origin needs them too.
 */
export const updateWebhookEndpoint = <ThrowOnError extends boolean = true>(options: Options<UpdateWebhookEndpointData, ThrowOnError>): RequestResult<UpdateWebhookEndpointResponses, UpdateWebhookEndpointErrors, ThrowOnError, 'data'> => clientOf(options).patch<UpdateWebhookEndpointResponses, UpdateWebhookEndpointErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/webhook-endpoints/{endpoint_id}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Pause a webhook endpoint
 *
 * Its deliveries wait until it is resumed. A disabled endpoint cannot be paused.
 */
export const pauseWebhookEndpoint = <ThrowOnError extends boolean = true>(options: Options<PauseWebhookEndpointData, ThrowOnError>): RequestResult<PauseWebhookEndpointResponses, PauseWebhookEndpointErrors, ThrowOnError, 'data'> => clientOf(options).post<PauseWebhookEndpointResponses, PauseWebhookEndpointErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/webhook-endpoints/{endpoint_id}/pause',
    ...options
});

/**
 * Resume a webhook endpoint
 *
 * Sends the deliveries that became due. With `send_now`, also those that wait for a retry: this needs the permission `deliveries.post`. Also enables a disabled endpoint. The body can be left out.
 */
export const resumeWebhookEndpoint = <ThrowOnError extends boolean = true>(options: Options<ResumeWebhookEndpointData, ThrowOnError>): RequestResult<ResumeWebhookEndpointResponses, ResumeWebhookEndpointErrors, ThrowOnError, 'data'> => clientOf(options).post<ResumeWebhookEndpointResponses, ResumeWebhookEndpointErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/webhook-endpoints/{endpoint_id}/resume',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Delete the signing secret
 *
 * Requests are signed by RFC 9421 only, from the next attempt on.
 */
export const deleteSigningSecret = <ThrowOnError extends boolean = true>(options: Options<DeleteSigningSecretData, ThrowOnError>): RequestResult<DeleteSigningSecretResponses, DeleteSigningSecretErrors, ThrowOnError, 'data'> => clientOf(options).delete<DeleteSigningSecretResponses, DeleteSigningSecretErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/webhook-endpoints/{endpoint_id}/signing-secret',
    ...options
});

/**
 * Make a new signing secret
 *
 * From now on, requests are also signed with this secret, as Standard Webhooks v1 does. The secret before stays valid for 24 hours. Only this response shows the secret. The present secret in the body changes nothing. The body can be left out.
 */
export const rotateSigningSecret = <ThrowOnError extends boolean = true>(options: Options<RotateSigningSecretData, ThrowOnError>): RequestResult<RotateSigningSecretResponses, RotateSigningSecretErrors, ThrowOnError, 'data'> => clientOf(options).post<RotateSigningSecretResponses, RotateSigningSecretErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/webhook-endpoints/{endpoint_id}/signing-secret',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Delete the client certificate
 *
 * From the next attempt on, Concord connects without a certificate.
 */
export const deleteClientCertificate = <ThrowOnError extends boolean = true>(options: Options<DeleteClientCertificateData, ThrowOnError>): RequestResult<DeleteClientCertificateResponses, DeleteClientCertificateErrors, ThrowOnError, 'data'> => clientOf(options).delete<DeleteClientCertificateResponses, DeleteClientCertificateErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/webhook-endpoints/{endpoint_id}/client-certificate',
    ...options
});

/**
 * Get the client certificate
 *
 * The certificate with which Concord connects to the endpoint, and the request for one (CSR) if Concord made the key. The private key is never shown.
 */
export const getClientCertificate = <ThrowOnError extends boolean = true>(options: Options<GetClientCertificateData, ThrowOnError>): RequestResult<GetClientCertificateResponses, GetClientCertificateErrors, ThrowOnError, 'data'> => clientOf(options).get<GetClientCertificateResponses, GetClientCertificateErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/webhook-endpoints/{endpoint_id}/client-certificate',
    ...options
});

/**
 * Make a client certificate
 *
 * Concord makes a new key (P-256), with a certificate for two years that it signs itself, and a request for one (CSR) that an authority can sign. It replaces the present one at once.
 */
export const makeClientCertificate = <ThrowOnError extends boolean = true>(options: Options<MakeClientCertificateData, ThrowOnError>): RequestResult<MakeClientCertificateResponses, MakeClientCertificateErrors, ThrowOnError, 'data'> => clientOf(options).post<MakeClientCertificateResponses, MakeClientCertificateErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/webhook-endpoints/{endpoint_id}/client-certificate',
    ...options
});

/**
 * Set the client certificate
 *
 * From the next attempt on, Concord shows this certificate to receivers that ask for one in TLS. Without `private_key`, it is the certificate that an authority has signed for the key that Concord made.
 */
export const putClientCertificate = <ThrowOnError extends boolean = true>(options: Options<PutClientCertificateData, ThrowOnError>): RequestResult<PutClientCertificateResponses, PutClientCertificateErrors, ThrowOnError, 'data'> => clientOf(options).put<PutClientCertificateResponses, PutClientCertificateErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/webhook-endpoints/{endpoint_id}/client-certificate',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List event types
 *
 * The built-in types and those that operators have added, each with the JSON Schema of its data. Private types are listed for those who have access to one of their partners.
 */
export const listEventTypes = <ThrowOnError extends boolean = true>(options: Options<ListEventTypesData, ThrowOnError>): RequestResult<ListEventTypesResponses, ListEventTypesErrors, ThrowOnError, 'data'> => clientOf(options).get<ListEventTypesResponses, ListEventTypesErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/event-types',
    ...options
});

/**
 * Export the event types as a document
 *
 * The types of the list, as the webhooks of OpenAPI 3.1 or as AsyncAPI 3, with the envelope and the headers.
 */
export const exportEventTypes = <ThrowOnError extends boolean = true>(options: Options<ExportEventTypesData, ThrowOnError>): RequestResult<ExportEventTypesResponses, ExportEventTypesErrors, ThrowOnError, 'data'> => clientOf(options).get<ExportEventTypesResponses, ExportEventTypesErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/event-types/export',
    ...options
});

/**
 * Import event types from a document (operators)
 *
 * Answers with a plan, and changes nothing. With `apply` and the hash of that plan it applies exactly this plan, in one transaction, or nothing: 409. The body has at most 3 MiB. Requires a session, not an access token.
 */
export const importEventTypes = <ThrowOnError extends boolean = true>(options: Options<ImportEventTypesData, ThrowOnError>): RequestResult<ImportEventTypesResponses, ImportEventTypesErrors, ThrowOnError, 'data'> => clientOf(options).post<ImportEventTypesResponses, ImportEventTypesErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/event-types/import',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Get an event type
 *
 * Also an archived one.
 */
export const getEventType = <ThrowOnError extends boolean = true>(options: Options<GetEventTypeData, ThrowOnError>): RequestResult<GetEventTypeResponses, GetEventTypeErrors, ThrowOnError, 'data'> => clientOf(options).get<GetEventTypeResponses, GetEventTypeErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/event-types/{name}',
    ...options
});

/**
 * Create or replace an event type (operators)
 *
 * A built-in type cannot be replaced. A schema that refuses any of the last 1,000 events of the type needs `force=true`, and so does a change that takes the type away from endpoints which name it. Requires a session, not an access token.
 */
export const putEventType = <ThrowOnError extends boolean = true>(options: Options<PutEventTypeData, ThrowOnError>): RequestResult<PutEventTypeResponses, PutEventTypeErrors, ThrowOnError, 'data'> => clientOf(options).put<PutEventTypeResponses, PutEventTypeErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/event-types/{name}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Check a schema against the last events of a type (operators)
 *
 * Says which of the last 1,000 events of the type, of all partners, do not fit the schema. Changes nothing. Requires a session, not an access token.
 */
export const checkEventType = <ThrowOnError extends boolean = true>(options: Options<CheckEventTypeData, ThrowOnError>): RequestResult<CheckEventTypeResponses, CheckEventTypeErrors, ThrowOnError, 'data'> => clientOf(options).post<CheckEventTypeResponses, CheckEventTypeErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/event-types/{name}/check',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Read the feed of events
 *
 * Lists events in the order of publishing. `page_from` also takes the id of the last event that you have.
 */
export const listEvents = <ThrowOnError extends boolean = true>(options: Options<ListEventsData, ThrowOnError>): RequestResult<ListEventsResponses, ListEventsErrors, ThrowOnError, 'data'> => clientOf(options).get<ListEventsResponses, ListEventsErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/events',
    ...options
});

/**
 * Publish an event
 *
 * Answers when the event and all its deliveries are committed. The body has at most 256 KiB.
 */
export const publishEvent = <ThrowOnError extends boolean = true>(options: Options<PublishEventData, ThrowOnError>): RequestResult<PublishEventResponses, PublishEventErrors, ThrowOnError, 'data'> => clientOf(options).post<PublishEventResponses, PublishEventErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/events',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Publish a batch of events
 *
 * Publishes all events or none. The body has at most 1,000 events and 4 MiB.
 */
export const publishEvents = <ThrowOnError extends boolean = true>(options: Options<PublishEventsData, ThrowOnError>): RequestResult<PublishEventsResponses, PublishEventsErrors, ThrowOnError, 'data'> => clientOf(options).post<PublishEventsResponses, PublishEventsErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/events/batch',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Get an event with its deliveries
 *
 * `deliveries` is null for a caller without the permission `deliveries.query`.
 */
export const getEvent = <ThrowOnError extends boolean = true>(options: Options<GetEventData, ThrowOnError>): RequestResult<GetEventResponses, GetEventErrors, ThrowOnError, 'data'> => clientOf(options).get<GetEventResponses, GetEventErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/events/{event_id}',
    ...options
});

/**
 * Send a test event to a sandbox endpoint
 *
 * Publishes the example of an event type, or your data, to this endpoint only, also of a type that the endpoint does not want. The body can be left out: the type is then the first one that the endpoint wants.
 */
export const testWebhookEndpoint = <ThrowOnError extends boolean = true>(options: Options<TestWebhookEndpointData, ThrowOnError>): RequestResult<TestWebhookEndpointResponses, TestWebhookEndpointErrors, ThrowOnError, 'data'> => clientOf(options).post<TestWebhookEndpointResponses, TestWebhookEndpointErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/webhook-endpoints/{endpoint_id}/test',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Check a filter against past events
 *
 * Says how many of the last 1,000 events of the partner match the filter. Changes nothing. Also needs the permission `events.query`.
 */
export const checkFilter = <ThrowOnError extends boolean = true>(options: Options<CheckFilterData, ThrowOnError>): RequestResult<CheckFilterResponses, CheckFilterErrors, ThrowOnError, 'data'> => clientOf(options).post<CheckFilterResponses, CheckFilterErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/webhook-endpoints/filter-check',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List deliveries
 *
 * One delivery for each event and endpoint, with its state and its next attempt.
 */
export const listDeliveries = <ThrowOnError extends boolean = true>(options: Options<ListDeliveriesData, ThrowOnError>): RequestResult<ListDeliveriesResponses, ListDeliveriesErrors, ThrowOnError, 'data'> => clientOf(options).get<ListDeliveriesResponses, ListDeliveriesErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/deliveries',
    ...options
});

/**
 * Count the deliveries that match a filter
 *
 * Says what a replay and a send-now of the same filters would do. It examines 10,000 deliveries at most.
 */
export const countDeliveries = <ThrowOnError extends boolean = true>(options: Options<CountDeliveriesData, ThrowOnError>): RequestResult<CountDeliveriesResponses, CountDeliveriesErrors, ThrowOnError, 'data'> => clientOf(options).get<CountDeliveriesResponses, CountDeliveriesErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/delivery-counts',
    ...options
});

/**
 * Get a delivery with its attempts
 *
 * The attempts show the status, the duration and the error of each request.
 */
export const getDelivery = <ThrowOnError extends boolean = true>(options: Options<GetDeliveryData, ThrowOnError>): RequestResult<GetDeliveryResponses, GetDeliveryErrors, ThrowOnError, 'data'> => clientOf(options).get<GetDeliveryResponses, GetDeliveryErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/deliveries/{delivery_id}',
    ...options
});

/**
 * Replay a delivery
 *
 * Starts a new round of attempts of the same delivery, even if it was delivered. A pending delivery stays as it is. A delivery to a disabled endpoint is 400.
 */
export const replayDelivery = <ThrowOnError extends boolean = true>(options: Options<ReplayDeliveryData, ThrowOnError>): RequestResult<ReplayDeliveryResponses, ReplayDeliveryErrors, ThrowOnError, 'data'> => clientOf(options).post<ReplayDeliveryResponses, ReplayDeliveryErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/deliveries/{delivery_id}/replay',
    ...options
});

/**
 * Send a pending delivery now
 *
 * Makes its next attempt due. Earlier attempts still count, and a failure is retried by the schedule. At a strict endpoint the deliveries before it go first. A delivery that is not pending, or whose endpoint is paused or disabled, is 400.
 */
export const sendDeliveryNow = <ThrowOnError extends boolean = true>(options: Options<SendDeliveryNowData, ThrowOnError>): RequestResult<SendDeliveryNowResponses, SendDeliveryNowErrors, ThrowOnError, 'data'> => clientOf(options).post<SendDeliveryNowResponses, SendDeliveryNowErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/deliveries/{delivery_id}/send-now',
    ...options
});

/**
 * Get an attempt with its request
 *
 * Shows the request as it was signed, with the text that the signature covers.
 */
export const getAttempt = <ThrowOnError extends boolean = true>(options: Options<GetAttemptData, ThrowOnError>): RequestResult<GetAttemptResponses, GetAttemptErrors, ThrowOnError, 'data'> => clientOf(options).get<GetAttemptResponses, GetAttemptErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/deliveries/{delivery_id}/attempts/{number}',
    ...options
});

/**
 * Replay all deliveries that match a filter
 *
 * Starts a replay, which runs in the background. The body has at least one filter. GET it to see its progress.
 */
export const startReplay = <ThrowOnError extends boolean = true>(options: Options<StartReplayData, ThrowOnError>): RequestResult<StartReplayResponses, StartReplayErrors, ThrowOnError, 'data'> => clientOf(options).post<StartReplayResponses, StartReplayErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/deliveries/replay',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Send now all pending deliveries that match a filter
 *
 * Starts a send-now, a replay with the action `send_now`. It makes the next attempt of each delivery due, and runs in the background. The body has at least one filter, or `delivery_ids`. With `endpoint_id` alone it sends what waits for an endpoint.
 */
export const startSendNow = <ThrowOnError extends boolean = true>(options: Options<StartSendNowData, ThrowOnError>): RequestResult<StartSendNowResponses, StartSendNowErrors, ThrowOnError, 'data'> => clientOf(options).post<StartSendNowResponses, StartSendNowErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/deliveries/send-now',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List replays and send-nows
 *
 * The replays and send-nows of the partner, running and completed.
 */
export const listReplays = <ThrowOnError extends boolean = true>(options: Options<ListReplaysData, ThrowOnError>): RequestResult<ListReplaysResponses, ListReplaysErrors, ThrowOnError, 'data'> => clientOf(options).get<ListReplaysResponses, ListReplaysErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/replays',
    ...options
});

/**
 * Get a replay or a send-now
 *
 * How many deliveries match, and how many of them have been replayed or sent now, and skipped, so far.
 */
export const getReplay = <ThrowOnError extends boolean = true>(options: Options<GetReplayData, ThrowOnError>): RequestResult<GetReplayResponses, GetReplayErrors, ThrowOnError, 'data'> => clientOf(options).get<GetReplayResponses, GetReplayErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/replays/{replay_id}',
    ...options
});

/**
 * Stop a replay or a send-now
 *
 * Deliveries that it has replayed or sent now go out. The rest stays as it is, and so does a replay that has ended.
 */
export const stopReplay = <ThrowOnError extends boolean = true>(options: Options<StopReplayData, ThrowOnError>): RequestResult<StopReplayResponses, StopReplayErrors, ThrowOnError, 'data'> => clientOf(options).post<StopReplayResponses, StopReplayErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/replays/{replay_id}/stop',
    ...options
});

/**
 * Get the statistics of an endpoint
 *
 * Counts of attempts, their latency, and what is pending, for a period in steps.
 */
export const getWebhookEndpointStats = <ThrowOnError extends boolean = true>(options: Options<GetWebhookEndpointStatsData, ThrowOnError>): RequestResult<GetWebhookEndpointStatsResponses, GetWebhookEndpointStatsErrors, ThrowOnError, 'data'> => clientOf(options).get<GetWebhookEndpointStatsResponses, GetWebhookEndpointStatsErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/webhook-endpoints/{endpoint_id}/stats',
    ...options
});

/**
 * Get the statistics of several endpoints
 *
 * Ids of endpoints that the partner does not have are left out.
 */
export const listWebhookEndpointStats = <ThrowOnError extends boolean = true>(options: Options<ListWebhookEndpointStatsData, ThrowOnError>): RequestResult<ListWebhookEndpointStatsResponses, ListWebhookEndpointStatsErrors, ThrowOnError, 'data'> => clientOf(options).get<ListWebhookEndpointStatsResponses, ListWebhookEndpointStatsErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/webhook-endpoint-stats',
    ...options
});

/**
 * Get the statistics of a partner
 *
 * All endpoints together, also those that are deleted.
 */
export const getPartnerStats = <ThrowOnError extends boolean = true>(options: Options<GetPartnerStatsData, ThrowOnError>): RequestResult<GetPartnerStatsResponses, GetPartnerStatsErrors, ThrowOnError, 'data'> => clientOf(options).get<GetPartnerStatsResponses, GetPartnerStatsErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/stats',
    ...options
});

/**
 * Get the statistics of the platform (operators)
 *
 * All partners together, also those that are purged. A step below 1h is for at most 6 hours.
 */
export const getPlatformStats = <ThrowOnError extends boolean = true>(options: Options<GetPlatformStatsData, ThrowOnError>): RequestResult<GetPlatformStatsResponses, GetPlatformStatsErrors, ThrowOnError, 'data'> => clientOf(options).get<GetPlatformStatsResponses, GetPlatformStatsErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/platform/stats',
    ...options
});

/**
 * List the endpoints that fail, the worst first (operators)
 *
 * At most 50, of all partners: endpoints that Concord disabled in the last week, and those whose last attempts all failed, or failed in part.
 */
export const listFailingEndpoints = <ThrowOnError extends boolean = true>(options: Options<ListFailingEndpointsData, ThrowOnError>): RequestResult<ListFailingEndpointsResponses, ListFailingEndpointsErrors, ThrowOnError, 'data'> => clientOf(options).get<ListFailingEndpointsResponses, ListFailingEndpointsErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/platform/failing-endpoints',
    ...options
});

/**
 * Get what is held after a restore (operators)
 *
 * Deliveries and mails that waited in a restored backup are held until an operator chooses: nobody can know which of them were sent since the backup.
 */
export const getHeldDeliveries = <ThrowOnError extends boolean = true>(options: Options<GetHeldDeliveriesData, ThrowOnError>): RequestResult<GetHeldDeliveriesResponses, GetHeldDeliveriesErrors, ThrowOnError, 'data'> => clientOf(options).get<GetHeldDeliveriesResponses, GetHeldDeliveriesErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/platform/held-deliveries',
    ...options
});

/**
 * Send or fail what is held after a restore (operators)
 *
 * The work runs in the background. GET shows its progress. Another choice changes what is still held.
 */
export const chooseHeldDeliveries = <ThrowOnError extends boolean = true>(options: Options<ChooseHeldDeliveriesData, ThrowOnError>): RequestResult<ChooseHeldDeliveriesResponses, ChooseHeldDeliveriesErrors, ThrowOnError, 'data'> => clientOf(options).post<ChooseHeldDeliveriesResponses, ChooseHeldDeliveriesErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/platform/held-deliveries',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Delete the sandbox receiver of a partner
 *
 * Also deletes the requests that it keeps. Endpoints with its URL stay, and their attempts fail.
 */
export const deleteSandboxReceiver = <ThrowOnError extends boolean = true>(options: Options<DeleteSandboxReceiverData, ThrowOnError>): RequestResult<DeleteSandboxReceiverResponses, DeleteSandboxReceiverErrors, ThrowOnError, 'data'> => clientOf(options).delete<DeleteSandboxReceiverResponses, DeleteSandboxReceiverErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/sandbox-receiver',
    ...options
});

/**
 * Get the sandbox receiver of a partner
 *
 * A URL of Concord that receives sandbox webhooks, for tests without a public URL of your own.
 */
export const getSandboxReceiver = <ThrowOnError extends boolean = true>(options: Options<GetSandboxReceiverData, ThrowOnError>): RequestResult<GetSandboxReceiverResponses, GetSandboxReceiverErrors, ThrowOnError, 'data'> => clientOf(options).get<GetSandboxReceiverResponses, GetSandboxReceiverErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/sandbox-receiver',
    ...options
});

/**
 * Create the sandbox receiver of a partner
 *
 * A URL of Concord itself that keeps the last 50 requests. A sandbox endpoint of the partner may have exactly this URL, even where webhooks may go to https and public addresses only. Repeating the request changes nothing.
 */
export const putSandboxReceiver = <ThrowOnError extends boolean = true>(options: Options<PutSandboxReceiverData, ThrowOnError>): RequestResult<PutSandboxReceiverResponses, PutSandboxReceiverErrors, ThrowOnError, 'data'> => clientOf(options).put<PutSandboxReceiverResponses, PutSandboxReceiverErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/sandbox-receiver',
    ...options
});

/**
 * List what the sandbox receiver got
 *
 * The newest first: the last 50 at most, and 4 MiB of bodies at most.
 */
export const listSandboxReceiverRequests = <ThrowOnError extends boolean = true>(options: Options<ListSandboxReceiverRequestsData, ThrowOnError>): RequestResult<ListSandboxReceiverRequestsResponses, ListSandboxReceiverRequestsErrors, ThrowOnError, 'data'> => clientOf(options).get<ListSandboxReceiverRequestsResponses, ListSandboxReceiverRequestsErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/sandbox-receiver/requests',
    ...options
});

/**
 * Get the check of a webhook endpoint
 *
 * The last check of the present URL, or its waiver, with the cases as they end. 404: the present URL was never checked.
 */
export const getWebhookEndpointCheck = <ThrowOnError extends boolean = true>(options: Options<GetWebhookEndpointCheckData, ThrowOnError>): RequestResult<GetWebhookEndpointCheckResponses, GetWebhookEndpointCheckErrors, ThrowOnError, 'data'> => clientOf(options).get<GetWebhookEndpointCheckResponses, GetWebhookEndpointCheckErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/webhook-endpoints/{endpoint_id}/check',
    ...options
});

/**
 * Check whether a receiver is ready
 *
 * Sends correct requests, which the receiver must accept, and forged ones, which it must refuse. The check runs in the background: GET it to see its cases. The correct requests carry the example of the first type that the endpoint wants. A live endpoint that is in use is not checked.
 */
export const checkWebhookEndpoint = <ThrowOnError extends boolean = true>(options: Options<CheckWebhookEndpointData, ThrowOnError>): RequestResult<CheckWebhookEndpointResponses, CheckWebhookEndpointErrors, ThrowOnError, 'data'> => clientOf(options).post<CheckWebhookEndpointResponses, CheckWebhookEndpointErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/webhook-endpoints/{endpoint_id}/check',
    ...options
});

/**
 * Waive the check of a webhook endpoint (operators)
 *
 * The endpoint gets its deliveries without a check, until its URL changes. The audit log keeps the reason. Requires a session, not an access token.
 */
export const waiveWebhookEndpointCheck = <ThrowOnError extends boolean = true>(options: Options<WaiveWebhookEndpointCheckData, ThrowOnError>): RequestResult<WaiveWebhookEndpointCheckResponses, WaiveWebhookEndpointCheckErrors, ThrowOnError, 'data'> => clientOf(options).post<WaiveWebhookEndpointCheckResponses, WaiveWebhookEndpointCheckErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/webhook-endpoints/{endpoint_id}/check/waive',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List checkpoints
 *
 * The signed statements of what was published for the endpoint, each after the one before.
 */
export const listCheckpoints = <ThrowOnError extends boolean = true>(options: Options<ListCheckpointsData, ThrowOnError>): RequestResult<ListCheckpointsResponses, ListCheckpointsErrors, ThrowOnError, 'data'> => clientOf(options).get<ListCheckpointsResponses, ListCheckpointsErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/webhook-endpoints/{endpoint_id}/checkpoints',
    ...options
});

/**
 * Get a checkpoint
 *
 * One signed statement.
 */
export const getCheckpoint = <ThrowOnError extends boolean = true>(options: Options<GetCheckpointData, ThrowOnError>): RequestResult<GetCheckpointResponses, GetCheckpointErrors, ThrowOnError, 'data'> => clientOf(options).get<GetCheckpointResponses, GetCheckpointErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/webhook-endpoints/{endpoint_id}/checkpoints/{checkpoint_id}',
    ...options
});

/**
 * List the deliveries that a checkpoint covers
 *
 * In the order in which their events are in the Merkle tree. `page_from` also takes the id of the last event that you have.
 */
export const listCheckpointDeliveries = <ThrowOnError extends boolean = true>(options: Options<ListCheckpointDeliveriesData, ThrowOnError>): RequestResult<ListCheckpointDeliveriesResponses, ListCheckpointDeliveriesErrors, ThrowOnError, 'data'> => clientOf(options).get<ListCheckpointDeliveriesResponses, ListCheckpointDeliveriesErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/webhook-endpoints/{endpoint_id}/checkpoints/{checkpoint_id}/deliveries',
    ...options
});

/**
 * Create a listener
 *
 * A sandbox endpoint for a command on the machine of a developer. Its requests are signed for `forward_to`, and the command fetches them: nothing is sent to that URL. It is deleted when no command has fetched from it for five minutes.
 */
export const createListener = <ThrowOnError extends boolean = true>(options: Options<CreateListenerData, ThrowOnError>): RequestResult<CreateListenerResponses, CreateListenerErrors, ThrowOnError, 'data'> => clientOf(options).post<CreateListenerResponses, CreateListenerErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/listeners',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Answer a request of a listener
 *
 * Tells what the receiver answered, or why it did not. The attempt is recorded with it. 404: the request no longer waits for an answer.
 */
export const answerListenerRequest = <ThrowOnError extends boolean = true>(options: Options<AnswerListenerRequestData, ThrowOnError>): RequestResult<AnswerListenerRequestResponses, AnswerListenerRequestErrors, ThrowOnError, 'data'> => clientOf(options).post<AnswerListenerRequestResponses, AnswerListenerRequestErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/listeners/{endpoint_id}/requests/{request_id}/answer',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Verify a captured webhook
 *
 * Says which step of the verification fails, and why. It takes the `request` of an attempt, and a request of the sandbox receiver with its `url`. It requires a token, as every operation does that is not open to anyone. A request that is older than five minutes also requires `at`. The body has at most 3 MiB.
 */
export const verifyCapturedWebhook = <ThrowOnError extends boolean = true>(options: Options<VerifyCapturedWebhookData, ThrowOnError>): RequestResult<VerifyCapturedWebhookResponses, VerifyCapturedWebhookErrors, ThrowOnError, 'data'> => clientOf(options).post<VerifyCapturedWebhookResponses, VerifyCapturedWebhookErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/webhook-debug/verify',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List the audit log of a partner
 *
 * Newest first, unless `sort_dir` is `asc`. With `Accept: application/x-ndjson` the answer is a stream with one record in each line.
 */
export const listAuditLog = <ThrowOnError extends boolean = true>(options: Options<ListAuditLogData, ThrowOnError>): RequestResult<ListAuditLogResponses, ListAuditLogErrors, ThrowOnError, 'data'> => clientOf(options).get<ListAuditLogResponses, ListAuditLogErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/audit-log',
    ...options
});

/**
 * Get a record of the audit log of a partner
 *
 * A record of another partner, and one that retention has deleted, is 404.
 */
export const getAuditRecord = <ThrowOnError extends boolean = true>(options: Options<GetAuditRecordData, ThrowOnError>): RequestResult<GetAuditRecordResponses, GetAuditRecordErrors, ThrowOnError, 'data'> => clientOf(options).get<GetAuditRecordResponses, GetAuditRecordErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/partners/{id}/audit-log/{record_id}',
    ...options
});

/**
 * List the whole audit log (operators)
 *
 * Newest first, unless `sort_dir` is `asc`. With `Accept: application/x-ndjson` the answer is a stream with one record in each line.
 */
export const listWholeAuditLog = <ThrowOnError extends boolean = true>(options: Options<ListWholeAuditLogData, ThrowOnError>): RequestResult<ListWholeAuditLogResponses, ListWholeAuditLogErrors, ThrowOnError, 'data'> => clientOf(options).get<ListWholeAuditLogResponses, ListWholeAuditLogErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/audit-log',
    ...options
});

/**
 * Get a record of the whole audit log (operators)
 *
 * About any partner, or about none. A record that retention has deleted is 404.
 */
export const getRecordOfWholeAuditLog = <ThrowOnError extends boolean = true>(options: Options<GetRecordOfWholeAuditLogData, ThrowOnError>): RequestResult<GetRecordOfWholeAuditLogResponses, GetRecordOfWholeAuditLogErrors, ThrowOnError, 'data'> => clientOf(options).get<GetRecordOfWholeAuditLogResponses, GetRecordOfWholeAuditLogErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/audit-log/{record_id}',
    ...options
});

/**
 * Ask whether a person may do something to a partner
 *
 * OpenID AuthZEN Authorization API 1.0. Callers can always ask about themselves. To ask about others they need `agreements.query` on the partner.
 */
export const evaluateAccess = <ThrowOnError extends boolean = true>(options: Options<EvaluateAccessData, ThrowOnError>): RequestResult<EvaluateAccessResponses, EvaluateAccessErrors, ThrowOnError, 'data'> => clientOf(options).post<EvaluateAccessResponses, EvaluateAccessErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/access/v1/evaluation',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Ask many such questions at once
 *
 * OpenID AuthZEN Authorization API 1.0. At most 100 evaluations. Without any, the answer is that of a single question.
 */
export const evaluateAccesses = <ThrowOnError extends boolean = true>(options: Options<EvaluateAccessesData, ThrowOnError>): RequestResult<EvaluateAccessesResponses, EvaluateAccessesErrors, ThrowOnError, 'data'> => clientOf(options).post<EvaluateAccessesResponses, EvaluateAccessesErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/access/v1/evaluations',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Get the addresses of the evaluation operations
 *
 * OpenID AuthZEN Authorization API 1.0, section 9. Clients find the evaluation operations with it.
 */
export const getAuthzenConfiguration = <ThrowOnError extends boolean = true>(options: Options<GetAuthzenConfigurationData, ThrowOnError>): RequestResult<GetAuthzenConfigurationResponses, GetAuthzenConfigurationErrors, ThrowOnError, 'data'> => clientOf(options).get<GetAuthzenConfigurationResponses, GetAuthzenConfigurationErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    url: '/.well-known/authzen-configuration',
    ...options
});

/**
 * Search what you can list
 *
 * Finds partners by name, agreements and (operators, in a session) users by e-mail address, endpoints by URL and description, event types by name and description, and these (but types), events and deliveries by id. At most 20 of each kind.
 */
export const search = <ThrowOnError extends boolean = true>(options: Options<SearchData, ThrowOnError>): RequestResult<SearchResponses, SearchErrors, ThrowOnError, 'data'> => clientOf(options).get<SearchResponses, SearchErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/search',
    ...options
});

/**
 * Get the status of the installation (operators)
 *
 * The version, the database, the running instances, the mail queue, the clocks, and the pending deliveries.
 */
export const getPlatformStatus = <ThrowOnError extends boolean = true>(options: Options<GetPlatformStatusData, ThrowOnError>): RequestResult<GetPlatformStatusResponses, GetPlatformStatusErrors, ThrowOnError, 'data'> => clientOf(options).get<GetPlatformStatusResponses, GetPlatformStatusErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/platform/status',
    ...options
});

/**
 * Get how many requests and events there were (operators)
 *
 * Of all instances together: the answered requests of operations, without health checks and metrics, and the events that were published. An instance adds its counts every 5 seconds, so the last seconds of one that crashes are missing.
 */
export const getPlatformTraffic = <ThrowOnError extends boolean = true>(options: Options<GetPlatformTrafficData, ThrowOnError>): RequestResult<GetPlatformTrafficResponses, GetPlatformTrafficErrors, ThrowOnError, 'data'> => clientOf(options).get<GetPlatformTrafficResponses, GetPlatformTrafficErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/platform/traffic',
    ...options
});

/**
 * Get the metrics of the instance (operators)
 *
 * The text format of Prometheus, version 0.0.4. An access token needs the scope `deliveries.query`.
 */
export const getMetrics = <ThrowOnError extends boolean = true>(options: Options<GetMetricsData, ThrowOnError>): RequestResult<GetMetricsResponses, GetMetricsErrors, ThrowOnError, 'data'> => clientOf(options).get<GetMetricsResponses, GetMetricsErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/metrics',
    ...options
});

/**
 * Get what the console needs before a sign-in
 *
 * Needs no token. It has no secrets.
 */
export const getConsoleSettings = <ThrowOnError extends boolean = true>(options: Options<GetConsoleSettingsData, ThrowOnError>): RequestResult<GetConsoleSettingsResponses, GetConsoleSettingsErrors, ThrowOnError, 'data'> => clientOf(options).get<GetConsoleSettingsResponses, GetConsoleSettingsErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    url: '/console/settings',
    ...options
});

/**
 * List the packages that programs can install
 *
 * npm installs them by their URL. Their version is that of this Concord. The list is empty if they were not built.
 */
export const listPackages = <ThrowOnError extends boolean = true>(options: Options<ListPackagesData, ThrowOnError>): RequestResult<ListPackagesResponses, ListPackagesErrors, ThrowOnError, 'data'> => clientOf(options).get<ListPackagesResponses, ListPackagesErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    url: '/packages',
    ...options
});

/**
 * Get the tarball of a package
 *
 * `client.tgz` is the tarball of the running version. A name with version and hash, as in `immutable_url`, always gets the same tarball.
 */
export const downloadPackage = <ThrowOnError extends boolean = true>(options: Options<DownloadPackageData, ThrowOnError>): RequestResult<DownloadPackageResponses, DownloadPackageErrors, ThrowOnError, 'data'> => clientOf(options).get<DownloadPackageResponses, DownloadPackageErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    url: '/packages/{file}',
    ...options
});

/**
 * Export everything about you
 *
 * One JSON document: your profile, linked accounts, sessions, access tokens, agreements, invitations, audit records by you and about you, and mails that wait for you. It has no secrets. It requires a recent proof, and works five times an hour. Requires a session, not an access token.
 */
export const exportPersonalData = <ThrowOnError extends boolean = true>(options: Options<ExportPersonalDataData, ThrowOnError>): RequestResult<ExportPersonalDataResponses, ExportPersonalDataErrors, ThrowOnError, 'data'> => clientOf(options).get<ExportPersonalDataResponses, ExportPersonalDataErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/me/export',
    ...options
});

/**
 * Check that the process is alive
 *
 * Answers while the process runs, also when the database is away.
 */
export const getLiveness = <ThrowOnError extends boolean = true>(options: Options<GetLivenessData, ThrowOnError>): RequestResult<GetLivenessResponses, GetLivenessErrors, ThrowOnError, 'data'> => clientOf(options).get<GetLivenessResponses, GetLivenessErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    url: '/health/live',
    ...options
});

/**
 * Check that the service can serve requests
 *
 * Answers 200 when the database answers and the service is not stopping, and 500 otherwise.
 */
export const getReadiness = <ThrowOnError extends boolean = true>(options: Options<GetReadinessData, ThrowOnError>): RequestResult<GetReadinessResponses, GetReadinessErrors, ThrowOnError, 'data'> => clientOf(options).get<GetReadinessResponses, GetReadinessErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    url: '/health/ready',
    ...options
});
