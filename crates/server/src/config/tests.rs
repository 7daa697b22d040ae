use clap::Args;

use super::*;

fn listens(text: &str) -> Vec<String> {
    let settings = PartialConfig { http: Some(text.to_owned()), ..PartialConfig::default() };
    settings.resolve().unwrap().http.addresses.iter().map(ToString::to_string).collect()
}

#[test]
fn an_empty_config_resolves_to_the_default_addresses_and_data_folder() {
    let config = PartialConfig::default().resolve().unwrap();
    let text = |listen: &EndpointListenAddresses| {
        listen.addresses.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(text(&config.https), "[::]:8443");
    assert_eq!(text(&config.http), "127.0.0.1:8080 [::1]:8080");
    assert_eq!(text(&config.mqtts), "[::]:8883");
    assert_eq!(text(&config.mqtt), "127.0.0.1:1883 [::1]:1883");
    assert_eq!(text(&config.admin), "127.0.0.1:8445 [::1]:8445");
    assert_eq!(config.data, PathBuf::from("./stoa-data"));
}

#[test]
fn a_listen_address_may_be_a_port_a_host_with_port_or_off() {
    assert_eq!(listens("9000"), ["127.0.0.1:9000", "[::1]:9000"]);
    assert_eq!(listens("127.0.0.1:0"), ["127.0.0.1:0"]);
    assert_eq!(listens("localhost:81"), ["127.0.0.1:81"]);
    assert!(listens("off").is_empty());
}

#[test]
fn plain_http_refuses_an_address_that_is_not_loopback() {
    let settings = PartialConfig { http: Some("0.0.0.0:8080".to_owned()), ..PartialConfig::default() };
    let error = settings.resolve().unwrap_err().to_string();
    assert!(error.contains("--http is 0.0.0.0:8080"), "{error}");
}

#[test]
fn a_flag_wins_over_the_file() {
    let file: PartialConfig = toml::from_str("https = \"9443\"\nopen = false\npublic_host = \"a.example\"").unwrap();
    let flags = PartialConfig { https: Some("7443".to_owned()), ..PartialConfig::default() };
    let config = flags.over(file).resolve().unwrap();
    assert_eq!(config.https.addresses[0].port(), 7443);
    assert!(!config.open);
    assert_eq!(config.public_host.as_deref(), Some("a.example"));
}

#[test]
fn an_unknown_config_key_is_refused() {
    assert!(toml::from_str::<PartialConfig>("htps = \"9443\"").is_err());
}

#[test]
fn a_public_host_with_a_port_is_refused() {
    let settings = PartialConfig { public_host: Some("a.example:8443".to_owned()), ..PartialConfig::default() };
    assert!(settings.resolve().is_err());
}

#[test]
fn a_database_limit_below_64_mib_is_refused() {
    let resolved = |mib| PartialConfig { database_mib: Some(mib), ..PartialConfig::default() }.resolve();
    assert_eq!(resolved(64).unwrap().database_bytes_max, 64 << 20);
    assert_eq!(resolved(63).unwrap_err().to_string(), "--database-mib is 63; it takes at least 64");
}

#[test]
fn a_file_host_with_a_scheme_is_refused() {
    let settings = PartialConfig { file_hosts: Some("https://cdn.example".to_owned()), ..PartialConfig::default() };
    let error = settings.resolve().unwrap_err().to_string();
    assert!(error.starts_with("--file-hosts has \"https://cdn.example\""), "{error}");
}

#[test]
fn operator_docs_name_every_serve_flag_and_interest_set_policy() {
    let page = include_str!("../../../../docs/operator.md");
    let command = PartialConfig::augment_args(clap::Command::new("serve"));
    let flags: Vec<String> =
        command.get_arguments().filter_map(|argument| argument.get_long()).map(|name| format!("`--{name}")).collect();
    assert!(flags.len() > 10, "{flags:?}");
    let missing: Vec<&String> = flags.iter().filter(|flag| !page.contains(flag.as_str())).collect();
    assert_eq!(missing, Vec::<&String>::new(), "flags that docs/operator.md does not name");
    for policy in InterestSetPolicy::SAMPLES {
        let row = format!("\n| `{}", policy.name());
        assert!(page.contains(&row), "docs/operator.md has no row for the policy {}", policy.name());
    }
}
