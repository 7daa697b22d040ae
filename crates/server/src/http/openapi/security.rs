//! Security of the operations: the credentials that each group of routes accepts.

use utoipa::openapi::Components;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityRequirement, SecurityScheme};
use utoipa_axum::router::OpenApiRouter;

use super::super::{HttpEndpointAddress, cookies};
use super::responses::operations;

const BEARER: &str = "bearer";
const SESSION: &str = "session";
const UPLOAD_TOKEN: &str = "upload_token";

/// The credentials that a route accepts.
#[derive(Clone, Copy, Debug)]
pub(super) enum AcceptedCredentials {
    /// None.
    None,
    /// A web session or a token. Guests have neither.
    OptionalCaller,
    /// A web session or a token.
    Caller,
    /// As `OptionalCaller`, or a token in ARENA's cookie.
    OptionalReader,
    /// A token in the header.
    Bearer,
    /// A token, in the header or in ARENA's cookie.
    Token,
    /// The file store's upload token.
    UploadToken,
}

impl AcceptedCredentials {
    /// Describes these credentials as the security of all operations of the router.
    pub(super) fn are_for<S: Clone + Send + Sync + 'static>(self, mut router: OpenApiRouter<S>) -> OpenApiRouter<S> {
        for item in router.get_openapi_mut().paths.paths.values_mut() {
            for (_, operation) in operations(item) {
                operation.security = Some(self.requirements());
            }
        }
        router
    }

    /// One of these is sufficient. An empty list needs none.
    fn requirements(self) -> Vec<SecurityRequirement> {
        let (optional, schemes): (bool, &[&str]) = match self {
            AcceptedCredentials::None => (false, &[]),
            AcceptedCredentials::OptionalCaller => (true, &[BEARER, SESSION]),
            AcceptedCredentials::Caller => (false, &[BEARER, SESSION]),
            AcceptedCredentials::OptionalReader => (true, &[BEARER, SESSION, cookies::MQTT_TOKEN]),
            AcceptedCredentials::Bearer => (false, &[BEARER]),
            AcceptedCredentials::Token => (false, &[BEARER, cookies::MQTT_TOKEN]),
            AcceptedCredentials::UploadToken => (false, &[UPLOAD_TOKEN]),
        };
        let none = optional.then(SecurityRequirement::default);
        let named = schemes.iter().map(|scheme| SecurityRequirement::new::<_, [&str; 0], &str>(*scheme, []));
        none.into_iter().chain(named).collect()
    }
}

/// Adds the schemes that the requirements name.
pub(super) fn add_schemes(components: &mut Components, endpoint: HttpEndpointAddress) {
    let cookie = |name: String, text: &str| {
        SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::with_description(name, text.to_owned())))
    };
    components.add_security_scheme(BEARER, SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer)));
    let session = cookie(cookies::session_name(endpoint), "The web session. Its name ends in the endpoint's port.");
    components.add_security_scheme(SESSION, session);
    let token = cookie(cookies::MQTT_TOKEN.to_owned(), "A token, as ARENA's pages send it.");
    components.add_security_scheme(cookies::MQTT_TOKEN, token);
    let upload =
        ApiKeyValue::with_description("X-Auth", "The file store's token: the cookie `auth`, set by storelogin.");
    components.add_security_scheme(UPLOAD_TOKEN, SecurityScheme::ApiKey(ApiKey::Header(upload)));
}
