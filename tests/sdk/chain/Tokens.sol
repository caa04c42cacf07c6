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

    function approve(address spender, uint256 value) external virtual returns (bool) {
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

// Keeps a hundredth of whatever is moved.
contract Skimming is Coin {
    function _move(address from, address to, uint256 value) internal override {
        super._move(from, to, value - value / 100);
        super._move(from, address(this), value / 100);
    }
}

// Knows nothing of authorizations, and has as many decimals as most tokens.
contract Plain is Token("Tether USD", "", 18) {}

// Changes a permission from nothing or to nothing alone, as an old and large token does.
contract Stubborn is Token("Tether USD", "", 18) {
    function approve(address spender, uint256 value) external override returns (bool) {
        require(value == 0 || allowance[msg.sender][spender] == 0, "approve from non-zero");
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }
}

// Takes the signatures of one key for its own.
contract Wallet {
    address immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    function approve(Token token, address spender) external {
        token.approve(spender, type(uint256).max);
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

struct TokenPermissions {
    address token;
    uint256 amount;
}

struct PermitTransferFrom {
    TokenPermissions permitted;
    uint256 nonce;
    uint256 deadline;
}

struct TransferDetails {
    address to;
    uint256 requestedAmount;
}

struct Witness {
    address to;
    uint256 validAfter;
}

interface IPermit2 {
    function permitWitnessTransferFrom(
        PermitTransferFrom memory permit, TransferDetails calldata details, address owner, bytes32 witness,
        string calldata witnessType, bytes calldata signature
    ) external;
}

// What the protocol says of its contract for exact payments: it sends what is permitted to whom the payer named. It is put where
// that one is on other chains.
contract ExactProxy {
    IPermit2 public constant PERMIT2 = IPermit2(0x000000000022D473030F116dDEE9F6B43aC78BA3);

    event Settled();

    function settle(
        PermitTransferFrom calldata permit, address owner, Witness calldata witness, bytes calldata signature
    ) external {
        require(witness.to != address(0), "destination");
        require(block.timestamp >= witness.validAfter, "too early");
        bytes32 digest = keccak256(
            abi.encode(keccak256("Witness(address to,uint256 validAfter)"), witness.to, witness.validAfter)
        );
        PERMIT2.permitWitnessTransferFrom(
            permit, TransferDetails(witness.to, permit.permitted.amount), owner, digest,
            "Witness witness)TokenPermissions(address token,uint256 amount)Witness(address to,uint256 validAfter)", signature
        );
        emit Settled();
    }
}

// Calls another contract with whatever it is given: a call inside a call.
contract Caller {
    function pass(address to, bytes calldata data) external {
        (bool done,) = to.call(data);
        require(done, "refused");
    }

    function passBoth(address to, bytes calldata one, bytes calldata other) external {
        this.pass(to, one);
        this.pass(to, other);
    }
}
