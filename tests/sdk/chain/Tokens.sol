// SPDX-License-Identifier: MIT
// Tokens for tests, written for them: what EIP-20 and EIP-3009 say, and nothing that a real one would need besides.
pragma solidity ^0.8.26;

interface IContractWallet {
    function isValidSignature(bytes32 digest, bytes memory signature) external view returns (bytes4);
}

contract Token {
    string public name;
    string public version;
    uint8 public immutable decimals;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor(string memory name_, string memory version_, uint8 decimals_) {
        name = name_;
        version = version_;
        decimals = decimals_;
    }

    function mint(address to, uint256 value) external {
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        require(allowance[from][msg.sender] >= value, "insufficient allowance");
        allowance[from][msg.sender] -= value;
        _move(from, to, value);
        return true;
    }

    function _move(address from, address to, uint256 value) internal virtual {
        require(balanceOf[from] >= value, "transfer amount exceeds balance");
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}

contract Coin is Token("USD Coin", "2", 6) {
    bytes32 constant TRANSFER = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 constant CANCEL = keccak256("CancelAuthorization(address authorizer,bytes32 nonce)");
    bytes32 constant DOMAIN =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");

    mapping(address => mapping(bytes32 => bool)) public authorizationState;
    bool public paused;

    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);
    event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce);

    function pause(bool on) external {
        paused = on;
    }

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return keccak256(abi.encode(DOMAIN, keccak256(bytes(name)), keccak256(bytes(version)), block.chainid, address(this)));
    }

    function transferWithAuthorization(
        address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce,
        uint8 v, bytes32 r, bytes32 s
    ) external {
        bytes32 digest = _digest(keccak256(abi.encode(TRANSFER, from, to, value, validAfter, validBefore, nonce)));
        require(ecrecover(digest, v, r, s) == from && from != address(0), "invalid signature");
        _use(from, to, value, validAfter, validBefore, nonce);
    }

    function transferWithAuthorization(
        address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce,
        bytes memory signature
    ) external {
        bytes32 digest = _digest(keccak256(abi.encode(TRANSFER, from, to, value, validAfter, validBefore, nonce)));
        require(from.code.length > 0, "no contract");
        bytes4 said = IContractWallet(from).isValidSignature(digest, signature);
        require(said == IContractWallet.isValidSignature.selector, "invalid signature");
        _use(from, to, value, validAfter, validBefore, nonce);
    }

    function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) external {
        bytes32 digest = _digest(keccak256(abi.encode(CANCEL, authorizer, nonce)));
        require(ecrecover(digest, v, r, s) == authorizer, "invalid signature");
        require(!authorizationState[authorizer][nonce], "authorization is used or canceled");
        authorizationState[authorizer][nonce] = true;
        emit AuthorizationCanceled(authorizer, nonce);
    }

    function _use(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce) internal {
        require(!paused, "paused");
        require(block.timestamp > validAfter, "authorization is not yet valid");
        require(block.timestamp < validBefore, "authorization is expired");
        require(!authorizationState[from][nonce], "authorization is used or canceled");
        authorizationState[from][nonce] = true;
        emit AuthorizationUsed(from, nonce);
        _move(from, to, value);
    }

    function _digest(bytes32 struct_) internal view returns (bytes32) {
        return keccak256(abi.encodePacked("\x19\x01", DOMAIN_SEPARATOR(), struct_));
    }
}

// Takes the signatures of one key for its own.
contract Wallet {
    address immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    function isValidSignature(bytes32 digest, bytes memory signature) external view returns (bytes4) {
        require(signature.length == 65, "length");
        bytes32 r;
        bytes32 s;
        uint8 v;
        assembly {
            r := mload(add(signature, 32))
            s := mload(add(signature, 64))
            v := byte(0, mload(add(signature, 96)))
        }
        return ecrecover(digest, v, r, s) == owner ? this.isValidSignature.selector : bytes4(0xffffffff);
    }
}
